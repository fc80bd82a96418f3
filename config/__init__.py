from config.celery import app as celery_app  # tasks find the application through this import

__all__ = ["celery_app"]
