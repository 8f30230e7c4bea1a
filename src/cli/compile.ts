/**
 * Loads every module, lazily loaded ones included, into the compile cache of an image whose code is
 * read-only.
 */
export async function compile(): Promise<void> {
  await Promise.all([
    import('../compose/product.ts'),
    import('./capture.ts'),
    import('./link.ts'),
    import('./move.ts'),
    import('./person.ts'),
    import('../store/move.ts'),
    import('../store/drivers/postgres/database.ts'),
    import('../upstream/centers.ts'),
    import('../oidc/open-id-connect.ts').then(({ loadClient }) => loadClient()),
    import('../mail/smtp.ts'),
    import('../metrics/tracing.ts'),
    import('../sandbox/sandbox.ts'),
  ]);
}
