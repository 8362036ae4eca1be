"""Files between a visitor and the person who answers: pictures and PDFs, never sent upstream."""
