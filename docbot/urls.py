"""docbot's addresses, below /api/public/."""

urlpatterns = []
