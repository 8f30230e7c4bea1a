<?php
// php mail.php <list_unsubscribe> <list_unsubscribe_post>
$mail = new PHPMailer\PHPMailer\PHPMailer(true);
// Or isSendmail(). With isMail(), which is the default, every header of more than 50 characters becomes encoded words.
$mail->isSMTP();
$mail->setFrom('news@example.org', 'Harbour Books');
$mail->addAddress('anna@example.org');
$mail->Subject = 'News of the harbour';
$mail->addCustomHeader('List-Unsubscribe', $argv[1]);
$mail->addCustomHeader('List-Unsubscribe-Post', $argv[2]);
$mail->Body = 'Hello Anna';

$mail->preSend();
echo $mail->getSentMIMEMessage();
