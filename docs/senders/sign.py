# LINK_SECRET=… python3 sign.py <https://preferences…> <issuer> <center> <identifier> [<purpose>]
import base64, hashlib, hmac, json, os, sys, time


def encoded(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def sign(claims):
    signed = encoded(b'{"alg":"HS256"}') + "." + encoded(json.dumps(claims).encode())
    key = os.environ["LINK_SECRET"].encode()
    return signed + "." + encoded(hmac.new(key, signed.encode(), hashlib.sha256).digest())


base, iss, aud, sub = sys.argv[1:5]
iat, day = int(time.time()), 86_400
who = {"iss": iss, "aud": aud, "sub": sub, "iat": iat}
manage = {**who, "exp": iat + 30 * day, "scope": "manage"}
one_click = {**who, "exp": iat + 1_095 * day, "scope": "one-click"}
if len(sys.argv) > 5:
    one_click["purpose"] = sys.argv[5]

print(f"{base}/centers/{aud}?t={sign(manage)}")
print(f"{base}/u/{sign(one_click)}")
