from django.db import migrations

LOOK = {
    "account": ["view"],
    "person": ["view"],
    "source": ["view"],
    "check": ["view"],
    "fact": ["view"],
}
ASK = {"fact": ["request"]}
MANAGE = {
    "account": ["add", "change"],
    "person": ["add", "change"],
    "source": ["add", "change", "delete"],
    "token": ["view", "add", "change"],
}
GROUPS = {
    "Support": [LOOK, ASK],
    "Operators": [LOOK, ASK, MANAGE],
    "Spec reviewers": [LOOK, ASK],
}
NAMES = {"request": "Can ask for a fact to be measured again"}


def give(apps, _schema_editor):
    """Permissions are made here where they are not yet: Django makes them after all migrations."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    for name, parts in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        for model, actions in [pair for part in parts for pair in part.items()]:
            content_type, _ = ContentType.objects.get_or_create(app_label="facts", model=model)
            for action in actions:
                permission, _ = Permission.objects.get_or_create(
                    content_type=content_type,
                    codename=f"{action}_{model}",
                    defaults={"name": NAMES.get(action, f"Can {action} {model}")},
                )
                group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("facts", "0009_waiting_targets"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
