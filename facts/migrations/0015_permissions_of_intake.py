from django.db import migrations

LOOK = {"integration": {"view_integration": "Can view integration"}}
TELL = {
    "account": {"set_plan": "Can set the features of an account's plan"},
    "integration": {
        "add_integration": "Can add integration",
        "change_integration": "Can change integration",
        "delete_integration": "Can delete integration",
    },
}
GROUPS = {"Support": [LOOK], "Operators": [LOOK, TELL], "Spec reviewers": [LOOK]}


def give(apps, _schema_editor):
    """Permissions are made here where they are not yet: Django makes them after all migrations."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    for name, parts in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        for model, permissions in [pair for part in parts for pair in part.items()]:
            content_type, _ = ContentType.objects.get_or_create(app_label="facts", model=model)
            for codename, said in permissions.items():
                permission, _ = Permission.objects.get_or_create(
                    content_type=content_type, codename=codename, defaults={"name": said}
                )
                group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("facts", "0014_permissions_of_answers"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="account",
            options={
                "permissions": [
                    ("forget_account", "Can erase everything of an account or a person"),
                    ("set_plan", "Can set the features of an account's plan"),
                ]
            },
        ),
        migrations.RunPython(give, migrations.RunPython.noop),
    ]
