<?php
// LINK_SECRET=… php sign.php <https://preferences…> <issuer> <center> <identifier> [<purpose>]
function encoded(string $value): string
{
    return rtrim(strtr(base64_encode($value), '+/', '-_'), '=');
}

function sign(array $claims): string
{
    $signed = encoded('{"alg":"HS256"}') . '.' . encoded(json_encode($claims, JSON_THROW_ON_ERROR));
    return $signed . '.' . encoded(hash_hmac('sha256', $signed, getenv('LINK_SECRET'), true));
}

[, $base, $iss, $aud, $sub] = $argv;
$iat = time();
$day = 86400;
$who = ['iss' => $iss, 'aud' => $aud, 'sub' => $sub, 'iat' => $iat];
$manage = $who + ['exp' => $iat + 30 * $day, 'scope' => 'manage'];
$oneClick = $who + ['exp' => $iat + 1095 * $day, 'scope' => 'one-click'];
if (isset($argv[5])) {
    $oneClick['purpose'] = $argv[5];
}

echo "$base/centers/$aud?t=", sign($manage), "\n";
echo "$base/u/", sign($oneClick), "\n";
