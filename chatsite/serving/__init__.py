"""How gunicorn serves the site: its master and workers, slow clients, request limits and error pages."""
