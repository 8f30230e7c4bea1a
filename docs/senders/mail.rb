# ruby mail.rb <list_unsubscribe> <list_unsubscribe_post>
require "mail"

mail = Mail.new(
  from: "Harbour Books <news@example.org>",
  to: "anna@example.org",
  subject: "News of the harbour",
  body: "Hello Anna",
)
mail.header["List-Unsubscribe"] = ARGV[0]
mail.header["List-Unsubscribe-Post"] = ARGV[1]

print mail
