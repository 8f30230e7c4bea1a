# perl mail.pl <list_unsubscribe> <list_unsubscribe_post>
use strict;
use Email::MIME;

my ($unsubscribe, $post) = @ARGV;
my $mail = Email::MIME->create(
    header_str => [
        From    => 'Harbour Books <news@example.org>',
        To      => 'anna@example.org',
        Subject => 'News of the harbour',
    ],
    attributes => { charset => 'UTF-8', encoding => 'quoted-printable' },
    body_str   => 'Hello Anna',
);
# In header_str, and by header_str_set, every long header becomes encoded words.
$mail->header_raw_set('List-Unsubscribe', $unsubscribe);
$mail->header_raw_set('List-Unsubscribe-Post', $post);

print $mail->as_string;
