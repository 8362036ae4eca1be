"""To teach: questions that the bots couldn't answer, and the answers that the owner's team writes for them."""
