/** Loads every module, lazily loaded ones included, and starts nothing. */
export async function loadEverything(): Promise<void> {
  await Promise.all([
    import('./product.ts'),
    import('./tools.ts'),
    import('./links.ts'),
    import('./move.ts'),
    import('./person.ts'),
    import('../store/move.ts'),
    import('../store/postgres/stores.ts'),
    import('../upstream/centers.ts'),
    import('../oidc/open-id-connect.ts').then(({ loadClient }) => loadClient()),
    import('../mail/smtp.ts'),
    import('../metrics/tracing.ts'),
    import('../sandbox/sandbox.ts'),
  ]);
}
