"""Whoever may change accounts gets no further than their own rights, whatever they post."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

ACCOUNTS = tuple(f"auth.{act}_{model}" for act in ("view", "add", "change", "delete") for model in ("user", "group"))
BEYOND = "webchat.change_bot"
PASSWORD = "a long pass phrase"


def right(name: str) -> Permission:
    app, codename = name.split(".")
    return Permission.objects.get(content_type__app_label=app, codename=codename)


def account(name: str, *rights: str, **fields: object) -> User:
    user = User.objects.create_user(name, f"{name}@example.com", PASSWORD, **fields)
    user.user_permissions.set(right(each) for each in rights)
    return user


@pytest.fixture
def clerk(db: None) -> User:
    return account("clerk", *ACCOUNTS, is_staff=True)


@pytest.fixture
def browser(clerk: User) -> Client:
    client = Client()
    client.force_login(clerk)
    return client


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_superuser("owner", "owner@example.com", PASSWORD)


@pytest.fixture
def colleague(db: None) -> User:
    """Somebody who may more than the clerk."""
    return account("colleague", BEYOND, is_staff=True)


@pytest.fixture
def member(db: None) -> User:
    """The same, by a group."""
    user = account("member", is_staff=True)
    group = Group.objects.create(name="Editors")
    group.permissions.add(right(BEYOND))
    user.groups.add(group)
    return user


def form_of(user: User, **fields: object) -> dict[str, object]:
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    return {"username": user.username, "email": user.email, "is_active": "on", "is_staff": "on", **joined, **fields}


def page_of(user: User, page: str = "change") -> str:
    return f"/admin/auth/user/{user.pk}/{page}/"


OUT_OF_REACH = ["owner", "colleague", "member"]


@pytest.mark.parametrize("name", OUT_OF_REACH)
@pytest.mark.parametrize(
    "page", ["change/", "delete/", "password/", "history/", "change/?_popup=1", "change/?_to_field=id"]
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_account_with_more_rights_is_not_there(name, page, method, browser, request):
    user = request.getfixturevalue(name)
    fields = form_of(user, email="evil@example.com", password1="x" * 20, password2="x" * 20, post="yes")
    response = getattr(browser, method)(f"/admin/auth/user/{user.pk}/{page}", fields)
    assert response.status_code in (302, 404)
    after = User.objects.get(pk=user.pk)
    assert (after.email, after.password) == (user.email, user.password)


@pytest.mark.parametrize("name", OUT_OF_REACH)
@pytest.mark.parametrize(
    "address", ["/admin/auth/user/", "/admin/auth/user/?q={}", "/admin/auth/user/?is_superuser__exact=1"]
)
def test_an_account_with_more_rights_is_not_listed(name, address, browser, request):
    user = request.getfixturevalue(name)
    assert f">{user.username}<" not in browser.get(address.format(user.username)).content.decode()


@pytest.mark.parametrize("name", OUT_OF_REACH)
@pytest.mark.parametrize("action", ["delete_selected", "remove_second_factor"])
def test_no_action_reaches_an_account_with_more_rights(name, action, browser, request):
    user = request.getfixturevalue(name)
    fields = {"action": action, "_selected_action": [user.pk], "select_across": "1", "post": "yes", "index": "0"}
    browser.post("/admin/auth/user/", fields)
    assert User.objects.filter(pk=user.pk).exists()


@pytest.mark.parametrize("value", ["on", "1", "true", "True"])
@pytest.mark.parametrize("extra", [{}, {"_popup": "1"}, {"_continue": "1"}, {"_saveasnew": "1"}, {"_addanother": "1"}])
def test_nobody_makes_themselves_superuser(value, extra, clerk, browser):
    fields = form_of(clerk, is_superuser=value, user_permissions=[right(each).pk for each in ACCOUNTS], **extra)
    assert browser.post(page_of(clerk), fields).status_code in (200, 302)
    assert not User.objects.filter(is_superuser=True).exists()


def test_the_field_is_not_shown_either(clerk, browser):
    page = browser.get(page_of(clerk)).content.decode()
    assert 'name="is_superuser"' not in page
    assert 'name="is_staff"' in page


@pytest.mark.parametrize("value", ["on", "1"])
def test_nobody_makes_a_new_superuser(value, browser):
    fields = {"username": "new", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    browser.post("/admin/auth/user/add/", fields | {"is_superuser": value, "is_staff": "on"})
    assert not User.objects.get(username="new").is_superuser


def test_nobody_gives_rights_that_they_have_not(clerk, browser):
    fields = form_of(clerk, user_permissions=[right(each).pk for each in (*ACCOUNTS, BEYOND)])
    assert browser.post(page_of(clerk), fields).status_code == 200
    assert not User.objects.get(pk=clerk.pk).has_perm(BEYOND)


def test_nobody_joins_a_group_with_rights_that_they_have_not(clerk, member, browser):
    fields = form_of(clerk, groups=[Group.objects.get().pk], user_permissions=[right(each).pk for each in ACCOUNTS])
    assert browser.post(page_of(clerk), fields).status_code == 200
    assert not User.objects.get(pk=clerk.pk).groups.exists()


@pytest.mark.parametrize("page", ["change/", "delete/", "history/"])
def test_a_group_with_more_rights_is_not_there(page, member, browser):
    group = Group.objects.get()
    response = browser.post(f"/admin/auth/group/{group.pk}/{page}", {"name": "Taken", "post": "yes"})
    assert response.status_code in (302, 404, 405)
    assert Group.objects.get().name == "Editors"


def test_nobody_puts_more_into_their_own_group(clerk, browser):
    group = Group.objects.create(name="Clerks")
    clerk.groups.add(group)
    fields = {"name": "Clerks", "permissions": [right(BEYOND).pk]}
    assert browser.post(f"/admin/auth/group/{group.pk}/change/", fields).status_code == 200
    assert browser.post("/admin/auth/group/add/", fields | {"name": "New"}).status_code == 200
    assert not User.objects.get(pk=clerk.pk).has_perm(BEYOND)
    assert not Group.objects.filter(name="New").exists()


@pytest.mark.parametrize(
    "address", ["mfa/authenticator/", "usersessions/usersession/", "account/emailaddress/", "sessions/session/"]
)
def test_nothing_of_a_sign_in_can_be_edited(address, owner):
    client = Client()
    client.force_login(owner)
    assert client.get(f"/admin/{address}").status_code == 404


def test_a_colleague_with_no_more_rights_is_helped(browser):
    customer = account("rosa")
    browser.post(
        page_of(customer, "password"), {"usable_password": "true", "password1": "x" * 20, "password2": "x" * 20}
    )
    assert User.objects.get(pk=customer.pk).check_password("x" * 20)
    fields = form_of(customer, user_permissions=[right("auth.view_user").pk])
    assert browser.post(page_of(customer), fields).status_code == 302
    assert User.objects.get(pk=customer.pk).has_perm("auth.view_user")


def test_the_owner_may_do_all_of_it(owner, colleague):
    client = Client()
    client.force_login(owner)
    fields = form_of(colleague, is_superuser="on", user_permissions=[right(BEYOND).pk])
    assert client.post(page_of(colleague), fields).status_code == 302
    assert User.objects.get(pk=colleague.pk).is_superuser


def test_whoever_may_only_see_accounts_changes_none(staff: Callable[..., Client], owner):
    client = staff("auth.view_user")
    assert client.get("/admin/auth/user/").status_code == 200
    user = User.objects.get(is_superuser=False)
    assert client.post(page_of(user), form_of(user, is_superuser="on")).status_code == 403
