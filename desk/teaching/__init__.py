"""Teaching: questions that the bots couldn't answer, and the answers that the team writes for them."""
