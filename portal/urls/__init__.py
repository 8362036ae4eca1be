"""The portal's URLs; the conversations' pages are below /portal/chat/."""

from django.urls import path

from portal import accounts, identity, openid, profile, views, web_app

urlpatterns = [
    path("", views.index, name="portal"),
    path("manifest.json", web_app.manifest, name="portal-manifest"),
    path("worker.js", web_app.worker, name="portal-worker"),
    path("offline", web_app.offline, name="portal-offline"),
    path("conversations/<uuid:conversation>/rename", views.rename, name="portal-rename"),
    path("conversations/<uuid:conversation>/delete", views.delete, name="portal-delete"),
    path("profile", profile.profile, name="portal-profile"),
    path("profile/devices/<int:pk>/sign-out", profile.sign_out_device, name="portal-sign-out-device"),
    path("profile/export", profile.export, name="portal-export"),
    path("profile/erase", profile.erase, name="portal-erase"),
    path("erased", profile.erased, name="portal-erased"),
    path("keep", views.keep_conversation, name="portal-keep-conversation"),
    path("sign-in", accounts.sign_in, name="portal-sign-in"),
    path("sign-out", accounts.sign_out, name="portal-sign-out"),
    path("password", accounts.reset, name="portal-reset"),
    path("password/sent", accounts.reset_sent, name="portal-reset-sent"),
    path("password/<uidb64>/<token>", accounts.new_password, name="portal-new-password"),
    path("password/done", accounts.reset_done, name="portal-reset-done"),
    path("identity/<slug:slug>", identity.arrive, name="portal-arrive"),
    path("arrived", identity.arrived, name="portal-arrived"),
    # The names that django-allauth expects.
    path("openid/<slug:provider_id>/login/", openid.login, name="openid_connect_login"),
    path("openid/<slug:provider_id>/login/callback/", openid.callback, name="openid_connect_callback"),
    path("openid/cancelled", openid.failed, name="socialaccount_login_cancelled"),
    path("openid/failed", openid.failed, name="socialaccount_login_error"),
    path("openid/sign-up", openid.failed, name="socialaccount_signup"),
    path("openid/closed", openid.failed, name="account_inactive"),
]
