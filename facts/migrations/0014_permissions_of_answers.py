from django.db import migrations

LOOK = ["view_answer"]
GROUPS = {
    "Support": [*LOOK, "verify_answer", "retire_answer"],
    "Operators": LOOK,
    "Spec reviewers": LOOK,
}
NAMES = {
    "view_answer": "Can view answer",
    "verify_answer": "Can verify answers, and take that back",
    "retire_answer": "Can retire answers",
}


def give(apps, _schema_editor):
    """Permissions are made here where they are not yet: Django makes them after all migrations."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    Group = apps.get_model("auth", "Group")
    content_type, _ = ContentType.objects.get_or_create(app_label="facts", model="answer")
    for name, codenames in GROUPS.items():
        group, _ = Group.objects.get_or_create(name=name)
        for codename in codenames:
            permission, _ = Permission.objects.get_or_create(
                content_type=content_type, codename=codename, defaults={"name": NAMES[codename]}
            )
            group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("facts", "0013_answers"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
