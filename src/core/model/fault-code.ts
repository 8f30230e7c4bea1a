/** The code of a fault of Node or of a library, such as `ENOENT`; undefined where it has none in words. */
export function faultCode(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
}
