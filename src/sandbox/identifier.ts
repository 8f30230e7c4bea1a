const strict = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the data subject's identifier: the header wins over the deprecated query parameter. Node reads header
 * bytes as latin1; bytes that are valid UTF-8 are decoded as UTF-8.
 */
export function readIdentifier(
  header: string | string[] | undefined,
  query: string | undefined,
): string | undefined {
  const given = Array.isArray(header) ? header.join(', ') : header;
  if (given === undefined || given === '') return query === '' ? undefined : query;
  if (!/[\u0080-\u00ff]/.test(given)) return given;
  try {
    return strict.decode(Buffer.from(given, 'latin1'));
  } catch {
    return given;
  }
}
