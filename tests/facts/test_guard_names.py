"""What names say: as many that keep their values as names that lose them."""

import pytest

from facts import guard


def rules(names, *, label="Thing", type="text", owned=False):
    """The rule for each of the names, where there is one."""
    found = {name: guard.property_rule(label, name, type, owned=owned) for name in names}
    return {name: rule for name, rule in found.items() if rule}


CREDENTIALS = {
    "ways to write": [
        "password", "PASSWORD", "passWord", "PassWord", "user_password", "userpassword",
        "UserPassword", "pass-word", "Pass Word", "pAsSwOrD", "p_a_s_s_w_o_r_d", "password2",
        "db.password", "passwordHash", "password_salt", "hashed_password",
        "password_reset_token", "email_box_pass",
    ],
    "ways to hide": [
        "pаssword", "раssword", "passwοrd", "ｐａｓｓｗｏｒｄ", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝", "ⓟⓐⓢⓢⓦⓞⓡⓓ",
        "pass\u200bword", "pássword", "passw0rd", "p4ssword", "pa$$word", "pa55word", "P.I.N",
    ],
    "English": [
        "passphrase", "passcode", "pin", "cardPin", "userpin", "puk", "otp_secret", "mfa_seed",
        "token", "api_token", "refreshToken", "accesstoken", "jwt", "sessionId", "session_key",
        "csrf_token", "apiKey", "APIKEY", "x_api_key", "aws_access_key_id", "privKey",
        "ssh_private_key", "encryption_key", "license_key", "BitLocker Recovery Key",
        "recovery_codes", "seed_phrase", "door_code", "verification_code", "cvv",
        "security_answer", "connectionString", "credentials", "clientSecret", "passkey", "salt",
        "session_data",
    ],
    "German": [
        "Passwort", "kennwort", "Startpasswort", "geheimzahl", "Zugangsschlüssel",
        "zugangsschluessel", "API-Schlüssel", "Lizenzschlüssel", "Türcode",
    ],
    "French": [
        "mot_de_passe", "motDePasse", "mdp", "code secret", "clé_secrète", "cleApi",
        "clé d'accès",
    ],
    "Spanish": [
        "contraseña", "contrasena", "Clave", "claveAcceso", "clave_usuario", "codigo_pin",
    ],
    "Portuguese": ["senha", "senha_hash", "palavra-passe", "chave_privada", "chaveApi"],
    "Italian": ["parola_d_ordine", "chiavePrivata", "codice_pin", "codiceSegreto"],
    "Dutch": ["wachtwoord", "wachtwoordHash", "geheime_sleutel", "toegangscode"],
    "Polish": ["hasło", "haslo", "haslo_uzytkownika", "klucz_prywatny", "kod_pin"],
    "Czech": ["heslo", "hesloUzivatele", "soukromý_klíč"],
    "Scandinavian": [
        "lösenord", "losenord", "adgangskode", "kodeord", "passord", "hemlig_nyckel",
    ],
    "Finnish": ["salasana", "salasanaTiiviste", "tunnusluku"],
    "Greek": ["κωδικός_πρόσβασης", "ΚωδικόςΠρόσβασης", "συνθηματικό", "κωδικος"],
    "Russian": [
        "пароль", "ПАРОЛЬ", "парольПользователя", "секретный_ключ", "ключ_доступа", "пин_код",
    ],
    "Ukrainian": ["пароль", "пін_код", "приватний_ключ"],
    "Turkish": ["şifre", "SIFRE", "kullaniciSifresi", "parola", "gizli_anahtar"],
    "Hungarian": ["jelszó", "jelszo_hash", "titkos_kulcs"],
    "Romanian": ["parolă", "parola", "cod_pin", "cheie_privata"],
    "Baltic, Balkan, Celtic": [
        "slaptažodis", "parole", "salasõna", "lozinka", "zaporka", "geslo", "лозинка", "парола",
        "fjalëkalimi", "lykilorð", "pasfhocal", "contrasenya", "pasahitza",
    ],
    "codes and keys": [
        "Sicherheitscode", "code_de_sécurité", "código_de_seguridad", "codice_di_sicurezza",
        "veiligheidscode", "säkerhetskod", "sikkerhetskode", "turvakoodi", "kod_bezpieczeństwa",
        "bezpečnostní_kód", "код_доступа", "güvenlik_kodu", "biztonsági_kód", "cod_securitate",
    ],
    "other scripts": ["パスワード", "密码", "비밀번호", "كلمة المرور", "סיסמה"],
}  # fmt: skip

NO_CREDENTIALS = [
    "key", "keyboard_layout", "monkey_species", "keynote", "keyframe", "hotkey", "turkey",
    "keyword", "foreign_key", "primary_key", "sort_key", "partition_key", "product_key",
    "customer_key", "public_key", "public_key_algorithm", "cache_key", "i18n_key", "key_figure",
    "token_type", "token_count", "tokenizer", "password_policy", "password_strength",
    "passenger_class", "shipping_method", "spine", "pinned", "pinnacle", "spinning", "compass",
    "passed", "passive", "bypass", "boarding_pass", "ski_pass", "pass_rate", "pin_count",
    "pin_color", "opinion", "pineapple", "secretary", "Sekretariat", "секретарь", "code",
    "country_code", "currency_code", "error_code", "promo_code", "codec", "barcode", "postcode",
    "zip", "hash", "commit_hash", "checksum", "etag", "access_level", "accessories",
    "auth_method", "session_count", "login_count", "security_level", "admin_area", "gate",
    "door", "lock_type", "palabra_clave", "clave_producto", "tipo_de_contraseña",
    "Schlüsselbrett", "Κωδικός_χώρας", "salt_content", "api_version",
]  # fmt: skip


@pytest.mark.parametrize("kind", CREDENTIALS)
def test_a_property_named_as_a_credential_keeps_nothing(kind):
    assert rules(CREDENTIALS[kind]) == dict.fromkeys(CREDENTIALS[kind], "credential")


def test_what_only_sounds_like_a_credential_keeps_its_values():
    assert rules(NO_CREDENTIALS) == {}


def test_a_label_named_as_a_credential_counts_where_the_property_says_nothing():
    assert rules(["value", "key", "hash"], label="Password") == dict.fromkeys(
        ["value", "key", "hash"], "credential"
    )
    assert rules(["status", "type", "created_on"], label="Password") == {}
    assert rules(["value", "key", "hash"], label="Setting") == {}


PEOPLE = {
    "names": [
        "first_name", "FirstName", "LASTNAME", "lname", "surname", "full_name", "middle_initial",
        "contact_name", "customerName", "client_last_name", "ship_name", "recipient_name",
        "username", "login", "screen_name", "mother_maiden_name", "driver_name", "next_of_kin",
    ],
    "who did it": [
        "created_by", "assigned_to", "assignee", "owner", "sales_rep", "approver", "customer",
        "employee", "contact", "author", "customer_id", "clientId",
    ],
    "addresses": [
        "address", "address2", "addressLine1", "street", "ship_address", "ShipToAddress1",
        "street_address", "houseNumber", "ip_address", "mac_address", "latitude",
    ],
    "reaching them": [
        "email", "e_mail", "E-Mail-Adresse", "submitter_email", "phone", "homePhone", "phone_1",
        "fax", "mobile", "tel", "whatsapp", "linkedin_url",
    ],
    "birth": [
        "birth_date", "dateOfBirth", "dob", "birthday", "geburtsdatum", "fecha_nacimiento",
        "date_naissance", "data_nascita", "geboortedatum", "dataUrodzenia", "дата_рождения",
    ],
    "numbers": [
        "ssn", "ssn_number", "passport_number", "nationalId", "pesel", "bsn", "personnummer",
        "codiceFiscale", "nif", "снилс", "imei",
    ],
    "German": [
        "vorname", "Nachname", "kundenname", "Straße", "hausnr", "Telefonnummer", "Anschrift",
    ],
    "French": ["prénom", "nom_de_famille", "nomClient", "téléphone", "courriel", "rue"],
    "Spanish": ["apellidos", "nombre_cliente", "dirección", "teléfono", "correo"],
    "Portuguese": ["sobrenome", "nome_do_cliente", "endereço", "telemóvel"],
    "Italian": ["cognome", "nomeCliente", "indirizzo", "cellulare"],
    "Dutch": ["voornaam", "achternaam", "klantnaam", "huisnummer"],
    "Polish and Czech": ["nazwisko", "imię", "ulica", "příjmení", "jméno_zákazníka"],
    "Nordic": ["förnamn", "efternamn", "fornavn", "adresse", "etunimi", "sukunimi", "puhelin"],
    "Greek": ["επώνυμο", "διεύθυνση", "τηλέφωνο", "όνομαΠελάτη"],
    "Russian and Ukrainian": [
        "фамилия", "отчество", "имя_клиента", "адрес", "телефон", "прізвище",
    ],
    "Turkish, Hungarian, Romanian": [
        "soyadı", "müşteriAdı", "vezetéknév", "ügyfélNév", "prenume",
    ],
}  # fmt: skip

NO_PEOPLE = [
    "name", "product_name", "company_name", "template_name", "file_name", "title",
    "contact_title", "title_of_courtesy", "headofstate", "composer", "artist", "director",
    "city", "country", "region", "district", "postal_code", "zip", "ship_country", "ship_region",
    "ship_via", "ship_mode", "reports_to", "address_type", "address_country", "birth_country",
    "email_verified", "email_domain", "phone_type", "phone_model", "contact_method",
    "contact_count", "customer_type", "customer_segment", "tipo_de_cliente", "tipo_cliente",
    "user_role", "user_status", "user_agent", "owner_type", "is_customer", "guest_count",
    "lead_source", "member_since", "mobile_app_version", "department", "gender", "language",
    "locale", "store", "carrier", "media_type", "Bundesland", "Versandart", "pays", "estado",
    "страна", "статус_клиента", "miesto", "status",
]  # fmt: skip


@pytest.mark.parametrize("kind", PEOPLE)
def test_a_property_that_names_people_keeps_nothing(kind):
    assert rules(PEOPLE[kind]) == dict.fromkeys(PEOPLE[kind], "person")


def test_what_is_only_about_people_keeps_its_values():
    assert rules(NO_PEOPLE) == {}


def test_a_name_that_people_have_stays_withheld_where_owners_are_counted():
    names = ["first_name", "phone", "birth_date", "ship_address", "customer_name"]

    assert rules(names, label="Customer", owned=True) == dict.fromkeys(names, "person")


def test_where_somebody_lives_may_stay_where_three_owners_must_share_it():
    places = ["ship_city", "ship_postal_code", "billing_town", "delivery_zip", "Lieferort"]

    assert rules(places, owned=False) == dict.fromkeys(places, "person")
    assert rules(places, owned=True) == {}


def test_the_name_of_somebody_is_told_by_the_label():
    assert rules(["name", "nombre", "display_name"], label="Customer") == {
        "name": "person",
        "nombre": "person",
        "display_name": "person",
    }
    assert rules(["name", "nombre", "display_name"], label="Product") == {}
    assert rules(["title", "country", "company"], label="Customer") == {}


@pytest.mark.parametrize(
    ("name", "type", "rule"),
    [
        ("password", "date", None),  # a date column keeps its dates
        ("password", "timestamp", None),
        ("password", "boolean", None),  # and a boolean its flags
        ("password", "text", "credential"),
        ("password", "enum", "credential"),
        ("password", "integer", "credential"),
        ("pin", "integer", "credential"),
        ("secret_key", "uuid", "credential"),
        ("salt", "text", "credential"),
        ("salt", "number", None),  # grams
        ("token", "integer", None),  # spent
        ("birth_date", "date", "person"),
        ("birth_year", "integer", "person"),
        ("hire_date", "date", None),
        ("last_contact", "date", None),
        ("email_verified_at", "timestamp", None),
        ("phone", "integer", "person"),
        ("comments", "integer", None),  # how many
        ("comments", "text", "free-text"),
        ("guests", "integer", None),
        ("customer_id", "integer", "person"),
        ("card_number", "integer", "account"),
        ("status", "json", "type"),
        ("status", "binary", "type"),
        ("status", "varchar", "type"),  # not one of the words for types
        ("status", "enum", None),
    ],
)
def test_the_type_decides_beside_the_name(name, type, rule):
    assert guard.property_rule("Thing", name, type) == rule


def test_accounts_and_cards_are_withheld_by_name():
    names = [
        "iban", "bank_account", "accountNumber", "cc_number", "creditCard", "card_no",
        "Kontonummer", "numéro_de_compte", "numero_de_tarjeta", "rekeningnummer", "numer_konta",
        "číslo_účtu", "tilinumero", "номер_карты", "hesap_no",
    ]  # fmt: skip

    assert rules(names) == dict.fromkeys(names, "account")
    assert rules(["account", "account_type", "card_type", "credit_card_type", "urban"]) == {}


def test_where_people_write_what_they_like_nothing_is_kept():
    names = [
        "note", "notes", "comments", "message", "bio", "order_note", "Bemerkung", "commentaire",
        "observaciones", "opmerkingen", "uwagi", "poznámka", "комментарий", "yorum", "html",
    ]  # fmt: skip

    assert rules(names) == dict.fromkeys(names, "free-text")
    assert rules(["note_type", "comments_count", "message_type", "body_type", "description"]) == {}


def test_a_name_that_holds_an_address_or_a_secret_is_withheld_by_itself():
    assert guard.property_rule("Thing", "ann@example.com", "text") == "email"
    assert (
        guard.property_rule("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "x", "text") == "credential"
    )


PERSON_LIKE = [
    "Customer", "Customers", "AuthUser", "customers_tbl", "UserProfile", "Employee", "Staff",
    "SalesPerson", "Patient", "People", "Kunde", "Kunden", "Mitarbeiter", "Utilisateur",
    "Clientes", "Klant", "Użytkownik", "Zákazník", "Asiakas", "Πελάτης", "Клиенты",
    "Пользователь", "Müşteri",
]  # fmt: skip
NOT_PERSON_LIKE = [
    "Order", "CustomerOrder", "CustomerType", "CustomerAddress", "UserRole", "UserAgent",
    "Product", "Supplier", "Ticket", "Invoice", "Artist", "Track", "City", "EmailTemplate",
    "Tag", "MemberStatus", "Staffing", "Session", "Store", "Заказ",
]  # fmt: skip


def test_labels_of_people_are_known_by_their_name():
    assert [label for label in PERSON_LIKE if not guard.is_person_like(label, [])] == []
    assert [label for label in NOT_PERSON_LIKE if guard.is_person_like(label, ["id", "name"])] == []


def test_labels_of_people_are_known_by_a_persons_own_names():
    assert guard.is_person_like("Actor", ["actorId", "firstName", "lastName"])
    assert guard.is_person_like("Benutzerkonto", ["vorname"])
    assert not guard.is_person_like("Supplier", ["companyName", "contactName"])


def test_an_order_with_a_name_on_it_is_no_person():
    assert not guard.is_person_like("Order", ["first_name", "last_name"])
