"""The team: invitations by link, roles, the last owner, and permissions from before there were roles."""

import re
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.test import Client
from lxml import html

from desk.access import rights
from desk.models import Invitation
from tests.desk.conftest import PASSWORD
from tests.webchat.concurrency import run_concurrently
from webchat.models import Bot, TeamMember
from webchat.models.team import Role

TEAM = "/admin/team/"


@pytest.fixture
def other(db: None) -> Bot:
    return Bot.objects.create(slug="other", name="Grace")


def link_of(response: Any) -> str:
    return re.search(r'value="(http[^"]+)"', response.content.decode())[1].removeprefix("http://testserver")


def invite(browser: Client, role: Role, *bots: Bot, **fields: object) -> str:
    chosen = {"bots": [bot.pk for bot in bots]} if bots else {"all_bots": "on"}
    return link_of(browser.post(f"{TEAM}invite/", {"role": role, **chosen, **fields}))


def join(link: str, name: str = "edda") -> tuple[Client, User]:
    client = Client()
    response = client.post(link, {"username": name, "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/admin/security/")
    return client, User.objects.get(username=name)


def sentences() -> set[str]:
    return set(LogEntry.objects.values_list("change_message", flat=True))


def test_a_member_joins_with_a_link_that_names_the_inviter_and_works_once(browser, bot, settings):
    refused = html.fromstring(browser.post(f"{TEAM}invite/", {"role": "editor"}).content.decode())
    assert refused.findtext(".//title").startswith("Error: Invite ·")
    assert refused.xpath("//*[@data-problems]//a/text()") == ["Or only these: Choose at least one bot."]
    settings.EMAIL_HOST = "mail.example.com"
    browser.post(f"{TEAM}invite/", {"role": "editor", "bots": [bot.pk], "email": "edda@example.com"})
    (message,) = mail.outbox
    assert message.to == ["edda@example.com"]
    assert "olivia has invited you" in message.body
    link = re.search(r"http://testserver(\S+)", message.body)[1]
    assert "olivia invited you" in " ".join(Client().get(link).content.decode().split())
    client, edda = join(link)
    assert (edda.is_staff, edda.is_superuser, edda.team_member.role) == (True, False, Role.EDITOR)
    assert list(rights.bots_of(edda)) == [bot]
    assert client.get(f"/admin/webchat/bot/{bot.pk}/change/").status_code == 200
    assert client.get(TEAM).status_code == 403
    assert Client().get(link).status_code == 410
    assert Client().post(link, {"username": "eve", "password": PASSWORD}).status_code == 410
    assert not User.objects.filter(username="eve").exists()
    joined = "Joined the team as an editor, invited by \u2068olivia\u2069."
    assert {"Invited somebody as an editor.", joined} <= sentences()
    bot.delete()
    assert list(rights.bots_of(edda)) == [], "nobody gets more rights by it"


@pytest.mark.parametrize("why", ["expired", "withdrawn", "the inviter left", "the inviter is no owner any more"])
def test_an_invitation_expires(why, browser, owner, bot):
    User.objects.create_superuser("second")
    link = invite(browser, Role.READS, bot)
    invitation = Invitation.objects.get()
    if why == "expired":
        Invitation.objects.update(expires_at="2020-01-01T00:00Z")
    elif why == "withdrawn":
        browser.post(f"{TEAM}invitations/{invitation.pk}/withdraw/")
    elif why == "the inviter left":
        browser.post(f"{TEAM}{TeamMember.of(owner).pk}/", {"do": "remove"})
    else:
        browser.post(f"{TEAM}{TeamMember.of(owner).pk}/", {"role": Role.EDITOR, "all_bots": "on"})
    assert Client().post(link, {"username": "eve", "password": PASSWORD}).status_code == 410


def test_pressing_join_twice_makes_one_account_and_is_no_error(database_on_disk, browser, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]  # as slow as in production
    link = invite(browser, Role.EDITOR)
    press = partial(Client().post, link, {"username": "edda", "password": PASSWORD})
    joined, *refused = sorted(answer.status_code for answer in run_concurrently(press, press, press))
    assert (joined, {410, 422}.issuperset(refused)) == (302, True)
    assert User.objects.get(username="edda").team_member.role == Role.EDITOR


def test_a_customer_joins_with_their_existing_account_and_in_no_other_way(browser, owner, bot):
    link = invite(browser, Role.ANSWERS, bot)
    rosa, client = User.objects.create_user("rosa", password=PASSWORD), Client()
    fields = {"username": "rosa", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    assert browser.post(f"/admin/auth/user/{rosa.pk}/change/", fields).status_code == 302
    rosa.refresh_from_db()
    assert (rosa.is_staff, rosa.is_superuser) == (False, False)
    assert browser.get(f"/admin/auth/user/{owner.pk}/change/")["Location"] == "/admin/"
    client.force_login(rosa)
    assert "before-sending" not in client.get(link).content.decode()  # which answers only the team
    client.post(link, {"as-signed-in": "1"})
    rosa.refresh_from_db()
    assert (rosa.is_staff, rosa.team_member.role) == (True, Role.ANSWERS)
    rosa.user_permissions.add(Permission.objects.get(codename="delete_bot"))  # as before there were roles
    TeamMember.objects.update(role="")
    member = f"{TEAM}{rosa.team_member.pk}/"
    assert "permissions from before there were roles" in browser.get(member).content.decode()
    browser.post(member, {"role": "reads", "bots": [bot.pk]})
    rosa = User.objects.get(pk=rosa.pk)
    assert (rosa.has_perm("webchat.delete_bot"), rosa.has_perm("webchat.view_bot")) == (False, True)
    assert not rosa.user_permissions.exists()


@pytest.mark.parametrize("change", [{"do": "remove"}, {"role": "editor", "all_bots": "on"}, {"role": "owner"}])
def test_the_last_owner_cannot_be_removed(change, browser, owner, bot):
    page = f"{TEAM}{TeamMember.of(owner).pk}/"
    fields = change | ({"bots": [bot.pk]} if change == {"role": "owner"} else {})
    assert "the team needs an owner of all bots" in browser.post(page, fields, follow=True).content.decode()
    owner.refresh_from_db()
    assert owner.is_superuser
    assert owner.is_staff
    User.objects.create_superuser("second")
    browser.post(page, fields)
    owner.refresh_from_db()
    assert not owner.is_superuser


def test_an_owner_of_one_bot_can_grant_only_that_bot(browser, owner, bot, other):
    client, otto = join(invite(browser, Role.OWNER, bot), "otto")
    _, edda = join(invite(browser, Role.EDITOR, bot, other))
    page = client.get(TEAM).content.decode()
    assert "otto" in page
    assert not re.search("edda|olivia", page)
    made_superuser = User.objects.create_user("root", is_staff=True)  # on the command line, after they had joined
    of_a_group = User.objects.create_user("clerk", is_staff=True)
    others = [TeamMember.of(user) for user in (made_superuser, of_a_group)]
    User.objects.filter(pk=made_superuser.pk).update(is_superuser=True)
    others[0].bots.add(bot)
    for member in (edda.team_member, TeamMember.of(owner), *others):
        assert client.post(f"{TEAM}{member.pk}/", {"do": "password"}).status_code == 404
    assert client.post(f"{TEAM}invite/", {"role": "owner", "all_bots": "on"}).status_code == 422
    assert client.post(f"{TEAM}invite/", {"role": "reads", "bots": [other.pk]}).status_code == 422
    client.post(f"{TEAM}{otto.team_member.pk}/", {"role": "owner", "all_bots": "on", "bots": [bot.pk]})
    otto.refresh_from_db()
    assert not otto.is_superuser
    assert not otto.team_member.all_bots


def test_a_removed_member_is_logged_out_and_has_no_rights(browser, bot):
    client, edda = join(invite(browser, Role.OWNER, bot))
    member = f"{TEAM}{edda.team_member.pk}/"
    for has_one in (False, True):
        assert ("Remove the second factor" in browser.get(member).content.decode()) == has_one
        Authenticator.objects.get_or_create(user=edda, type=Authenticator.Type.TOTP, data={})
    browser.post(member, {"do": "remove"})
    edda = User.objects.get(pk=edda.pk)
    assert not UserSession.objects.filter(user=edda).exists()
    assert client.get("/admin/")["Location"].startswith("/admin/login/")
    assert (edda.is_staff, edda.has_perm("webchat.view_bot"), rights.may_change_team(edda)) == (False, False, False)
    assert "Removed from the team." in sentences()


def test_a_member_who_forgot_their_password_gets_a_link_which_says_if_nobody_else_can_open_it(browser, bot, settings):
    settings.ALLOWED_HOSTS = ["127.0.0.1", "chat.example.com", "testserver"]
    _, edda = join(invite(browser, Role.READS, bot))
    forms = {"invite/": {"role": Role.READS, "all_bots": "on"}, f"{edda.team_member.pk}/": {"do": "password"}}
    for host in ("127.0.0.1:8000", "chat.example.com"):
        for path, fields in forms.items():
            shown = browser.post(TEAM + path, fields, headers={"host": host}).content.decode()
            assert ("Works on this computer only" in shown) == host.startswith("127"), path
    link = link_of(browser.post(f"{TEAM}{edda.team_member.pk}/", {"do": "password"}))
    assert b'name="new_password1"' in Client().get(link, follow=True).content
