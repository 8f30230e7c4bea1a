// LINK_SECRET=… go run sign.go <https://preferences…> <issuer> <center> <identifier> [<purpose>]
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

type claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Subject  string `json:"sub"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
	Scope    string `json:"scope"`
	Purpose  string `json:"purpose,omitempty"`
}

var encoded = base64.RawURLEncoding.EncodeToString

func sign(what claims) string {
	body, err := json.Marshal(what)
	if err != nil {
		panic(err)
	}
	signed := encoded([]byte(`{"alg":"HS256"}`)) + "." + encoded(body)
	mac := hmac.New(sha256.New, []byte(os.Getenv("LINK_SECRET")))
	mac.Write([]byte(signed))
	return signed + "." + encoded(mac.Sum(nil))
}

func main() {
	base, iss, aud, sub := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	iat := time.Now().Unix()
	const day = 86_400
	manage := claims{iss, aud, sub, iat, iat + 30*day, "manage", ""}
	oneClick := claims{iss, aud, sub, iat, iat + 1_095*day, "one-click", ""}
	if len(os.Args) > 5 {
		oneClick.Purpose = os.Args[5]
	}

	fmt.Printf("%s/centers/%s?t=%s\n", base, aud, sign(manage))
	fmt.Printf("%s/u/%s\n", base, sign(oneClick))
}
