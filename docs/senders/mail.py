# python3 mail.py <list_unsubscribe> <list_unsubscribe_post>
import sys
from email.message import EmailMessage
from email.policy import SMTP

# Without it EmailMessage breaks every line of more than 78 characters, by encoded words.
message = EmailMessage(policy=SMTP.clone(max_line_length=998))
message["From"] = "Harbour Books <news@example.org>"
message["To"] = "anna@example.org"
message["Subject"] = "News of the harbour"
message["List-Unsubscribe"] = sys.argv[1]
message["List-Unsubscribe-Post"] = sys.argv[2]
message.set_content("Hello Anna")

sys.stdout.buffer.write(message.as_bytes())
