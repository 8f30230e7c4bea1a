# LINK_SECRET=… ruby sign.rb <https://preferences…> <issuer> <center> <identifier> [<purpose>]
require "json"
require "openssl"

def encoded(value)
  [value].pack("m0").tr("+/", "-_").delete("=")
end

def sign(claims)
  signed = "#{encoded('{"alg":"HS256"}')}.#{encoded(JSON.generate(claims))}"
  "#{signed}.#{encoded(OpenSSL::HMAC.digest("SHA256", ENV.fetch("LINK_SECRET"), signed))}"
end

base, iss, aud, sub, purpose = ARGV
iat = Time.now.to_i
day = 86_400
who = { iss: iss, aud: aud, sub: sub, iat: iat }
manage = { **who, exp: iat + 30 * day, scope: "manage" }
one_click = { **who, exp: iat + 1_095 * day, scope: "one-click" }
one_click[:purpose] = purpose if purpose

puts "#{base}/centers/#{aud}?t=#{sign(manage)}"
puts "#{base}/u/#{sign(one_click)}"
