// LINK_SECRET=… dotnet run sign.cs <https://preferences…> <issuer> <center> <identifier> [<purpose>]    (.NET 10)
using System.Security.Cryptography;
using System.Text;

static string Encoded(byte[] value) =>
    Convert.ToBase64String(value).TrimEnd('=').Replace('+', '-').Replace('/', '_');

// A string of JSON; System.Text.Json does it as well.
static string Quoted(string text) =>
    "\"" + string.Concat(text.Select(letter =>
        letter is '"' or '\\' or < ' ' or > '~' ? $"\\u{(int)letter:x4}" : letter.ToString())) + "\"";

static string Sign(string claims)
{
    var signed = Encoded(Encoding.UTF8.GetBytes("{\"alg\":\"HS256\"}")) + "." + Encoded(Encoding.UTF8.GetBytes(claims));
    var key = Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("LINK_SECRET")!);
    return signed + "." + Encoded(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(signed)));
}

var (root, iss, aud, sub) = (args[0], args[1], args[2], args[3]);
var iat = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
const long day = 86_400;
var who = $"\"iss\":{Quoted(iss)},\"aud\":{Quoted(aud)},\"sub\":{Quoted(sub)},\"iat\":{iat}";
var purpose = args.Length > 4 ? $",\"purpose\":{Quoted(args[4])}" : "";
var manage = $"{{{who},\"exp\":{iat + 30 * day},\"scope\":\"manage\"}}";
var oneClick = $"{{{who},\"exp\":{iat + 1_095 * day},\"scope\":\"one-click\"{purpose}}}";

Console.WriteLine($"{root}/centers/{aud}?t={Sign(manage)}");
Console.WriteLine($"{root}/u/{Sign(oneClick)}");
