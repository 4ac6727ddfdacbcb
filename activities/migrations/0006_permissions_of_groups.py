from django.db import migrations

LOOK = {
    "verb": ["view"],
    "action": ["view"],
    "unmappedname": ["view"],
    "feedback": ["view"],
    "accountsettings": ["view"],
    "personsettings": ["view"],
}
MAP = {"action": ["change"], "verb": ["add", "change"]}
SETTLE = {"accountsettings": ["add", "change"], "personsettings": ["add", "change"]}
GROUPS = {
    "Support": [LOOK, MAP],
    "Operators": [LOOK, MAP, SETTLE],
    "Spec reviewers": [LOOK],
}


def give(apps, _schema_editor):
    """Permissions are made here where they are not yet: Django makes them after all migrations."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    for name, parts in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        for model, actions in [pair for part in parts for pair in part.items()]:
            content_type, _ = ContentType.objects.get_or_create(app_label="activities", model=model)
            for action in actions:
                permission, _ = Permission.objects.get_or_create(
                    content_type=content_type,
                    codename=f"{action}_{model}",
                    defaults={"name": f"Can {action} {model}"},
                )
                group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("activities", "0005_preferences"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
