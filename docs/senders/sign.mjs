// LINK_SECRET=… node sign.mjs <https://preferences…> <issuer> <center> <identifier> [<purpose>]
import { createHmac } from 'node:crypto';

const encoded = (value) => Buffer.from(value).toString('base64url');

function sign(claims) {
  const signed = `${encoded('{"alg":"HS256"}')}.${encoded(JSON.stringify(claims))}`;
  return `${signed}.${createHmac('sha256', process.env.LINK_SECRET).update(signed).digest('base64url')}`;
}

const [base, iss, aud, sub, purpose] = process.argv.slice(2);
const iat = Math.floor(Date.now() / 1000);
const day = 86_400;
const manage = { iss, aud, sub, iat, exp: iat + 30 * day, scope: 'manage' };
const oneClick = { iss, aud, sub, iat, exp: iat + 1_095 * day, scope: 'one-click' };
if (purpose) oneClick.purpose = purpose;

console.log(`${base}/centers/${aud}?t=${sign(manage)}`);
console.log(`${base}/u/${sign(oneClick)}`);
