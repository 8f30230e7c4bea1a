// LINK_SECRET=… java Sign.java <https://preferences…> <issuer> <center> <identifier> [<purpose>]
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Sign {
    static String encoded(byte[] value) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(value);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A string of JSON; a library for JSON does it as well. */
    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') json.append('\\').append(letter);
            else if (letter < ' ' || letter > '~') json.append(String.format("\\u%04x", (int) letter));
            else json.append(letter);
        }
        return json.append('"').toString();
    }

    static String sign(String claims) throws Exception {
        String signed = encoded(bytes("{\"alg\":\"HS256\"}")) + "." + encoded(bytes(claims));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(bytes(System.getenv("LINK_SECRET")), "HmacSHA256"));
        return signed + "." + encoded(mac.doFinal(bytes(signed)));
    }

    public static void main(String[] args) throws Exception {
        String base = args[0], iss = args[1], aud = args[2], sub = args[3];
        long iat = System.currentTimeMillis() / 1000, day = 86_400;
        String who = "\"iss\":" + quoted(iss) + ",\"aud\":" + quoted(aud) + ",\"sub\":" + quoted(sub) + ",\"iat\":" + iat;
        String purpose = args.length > 4 ? ",\"purpose\":" + quoted(args[4]) : "";
        String manage = "{" + who + ",\"exp\":" + (iat + 30 * day) + ",\"scope\":\"manage\"}";
        String oneClick = "{" + who + ",\"exp\":" + (iat + 1_095 * day) + ",\"scope\":\"one-click\"" + purpose + "}";

        System.out.println(base + "/centers/" + aud + "?t=" + sign(manage));
        System.out.println(base + "/u/" + sign(oneClick));
    }
}
