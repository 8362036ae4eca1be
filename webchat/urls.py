"""The URLs of one surface; the site includes them once for each, under the surface's name."""

from django.urls import path, re_path

from webchat.attachments import views as attachment_views
from webchat.conversation import views
from webchat.feedback import views as feedback_views
from webchat.handover import push_subscriptions
from webchat.handover import views as handover_views

app_name = "chat"
urlpatterns = [
    path("<slug:slug>/", views.page, name="page"),
    path("<slug:slug>/messages", views.messages, name="messages"),
    path("<slug:slug>/search", views.search, name="search"),
    path("<slug:slug>/details", views.save_details, name="details"),
    path("<slug:slug>/turns/<uuid:key>/reply", views.reply, name="reply"),
    path("<slug:slug>/turns/<uuid:key>/again", views.again, name="again"),
    path("<slug:slug>/turns/<uuid:key>/feedback", feedback_views.feedback, name="feedback"),
    re_path(r"^(?P<slug>[-\w]+)/transcript\.(?P<format>txt|html|json)$", views.transcript, name="transcript"),
    path("<slug:slug>/person", handover_views.handover, name="handover"),
    path("<slug:slug>/person/send", handover_views.send_handover, name="handover-send"),
    path("<slug:slug>/person/<uuid:key>", handover_views.handover_sent, name="handover-sent"),
    path("<slug:slug>/person/join", handover_views.join, name="join"),
    path("<slug:slug>/person/leave", handover_views.leave, name="leave"),
    path("<slug:slug>/person/email", handover_views.reply_email, name="reply-email"),
    path("<slug:slug>/person/notify", push_subscriptions.subscribe, name="notify"),
    path("<slug:slug>/person/typing", handover_views.typing, name="typing"),
    path("<slug:slug>/person/<int:pk>.webp", handover_views.team_picture, name="team-picture"),
    path("<slug:slug>/send-file/<str:token>", attachment_views.send_file, name="send-file"),
    path("<slug:slug>/files/<uuid:key>", attachment_views.show_file, name="file"),
    path("<slug:slug>/files/<uuid:key>/<str:token>", attachment_views.show_in_frame, name="file-in-frame"),
    path("<slug:slug>/updates/<str:token>", handover_views.show_updates, name="updates"),
    path("<slug:slug>/back", handover_views.back, name="back"),
    re_path(r"^(?P<slug>[-\w]+)/(?P<kind>face|logo)\.webp$", views.picture, name="picture"),
    path("<slug:slug>/new", views.new_conversation, name="new"),
]
