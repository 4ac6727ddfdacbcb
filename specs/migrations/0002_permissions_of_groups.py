from django.db import migrations

VIEW = {"spec": ["view_spec"], "specversion": ["view_specversion"]}
REVIEW = {"spec": ["view_spec", "change_spec", "review_spec"], "specversion": ["view_specversion"]}
NAMES = {
    "view_spec": "Can view spec",
    "change_spec": "Can change spec",
    "review_spec": "Can approve, send back and retire specs",
    "view_specversion": "Can view spec version",
}
GROUPS = {"Support": VIEW, "Operators": VIEW, "Spec reviewers": REVIEW}


def give(apps, _schema_editor):
    """Permissions are made here where they are not yet: Django makes them after all migrations."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    for name, permissions in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        for model, codenames in permissions.items():
            content_type, _ = ContentType.objects.get_or_create(app_label="specs", model=model)
            for codename in codenames:
                permission, _ = Permission.objects.get_or_create(
                    content_type=content_type,
                    codename=codename,
                    defaults={"name": NAMES[codename]},
                )
                group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("specs", "0001_specs"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
