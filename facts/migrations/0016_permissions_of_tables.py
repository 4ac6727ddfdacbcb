from django.db import migrations


def let_look(apps, _schema_editor):
    """Permissions are made here where they are not yet: Django makes them after all migrations."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    content_type, _ = ContentType.objects.get_or_create(app_label="facts", model="table")
    permission, _ = Permission.objects.get_or_create(
        content_type=content_type, codename="view_table", defaults={"name": "Can view table"}
    )
    for group in Group.objects.filter(name__in=("Support", "Operators", "Spec reviewers")):
        group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [("facts", "0015_permissions_of_intake")]

    operations = [migrations.RunPython(let_look, migrations.RunPython.noop)]
