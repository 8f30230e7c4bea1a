import type { Sandbox } from '../sandbox/sandbox.ts';
import { linkHref, signInHref } from '../web/href.ts';
import type { ProductParts } from './parts.ts';

const linkDays = 30;

/** Warns of sandbox people whose identifiers the product refuses. */
export function tellUnusable(
  sandbox: Sandbox,
  { identifiers, warn }: Pick<ProductParts, 'identifiers'> & { readonly warn: (text: string) => void },
): void {
  const all = sandbox.people().map(({ identifier }) => identifier);
  const unusable = all.filter((identifier) => identifiers.read(identifier) === undefined).length;
  if (unusable > 0) warn(`Sandbox: ${unusable} of its people cannot be opened; use ${identifiers.rule}\n`);
}

/** The people of the sandbox, each with a link. */
export function readyMade(
  sandbox: Sandbox,
  { registry, identifiers, mint }: Pick<ProductParts, 'registry' | 'identifiers' | 'mint'>,
) {
  return sandbox.people().flatMap(({ center, identifier, description, ...person }) => {
    const centerConfig = registry.findByCenter(center);
    const subject = identifiers.read(identifier);
    if (centerConfig === undefined || subject === undefined) return [];
    const claims = { subject, scope: 'manage', center: centerConfig.center } as const;
    const href = linkHref(centerConfig, mint.mint({ ...claims, lifetime: linkDays * 86_400 }));
    const shown = { name: subject, about: description, href, signInHref: signInHref(centerConfig) };
    return [{ ...person, ...shown }];
  });
}
