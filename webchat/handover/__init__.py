"""How a visitor gets to a person: the queue, the form for when nobody is there, and the link in an e-mail."""
