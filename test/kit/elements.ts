import type { Product } from './product.ts';

interface SinglePageSchema {
  readonly Template: string;
  readonly ProfileSettings?: {
    readonly DataElements?: readonly { readonly Id: string; readonly Label: string }[];
  };
}

interface RootSchema {
  readonly pages: readonly { readonly id: string }[];
}

interface PageSchema {
  readonly sections: readonly {
    readonly customDataElements: readonly { readonly id: string; readonly name: string }[];
  }[];
}

/** Ids of a center's data elements → the keys under which the platform keeps their values. */
export async function elementLabels(product: Product, center: string): Promise<Record<string, string>> {
  const read = async <T>(path: string): Promise<T> =>
    (await (await product.sandbox.call(`/api/consentmanager/${path}`)).json()) as T;
  const schema = await read<SinglePageSchema>(`v1/preferencecenters/${center}/preferences`);
  if (schema.Template !== 'MULTIPAGE') {
    const elements = schema.ProfileSettings?.DataElements ?? [];
    return Object.fromEntries(elements.map(({ Id, Label }) => [Id.toLowerCase(), Label]));
  }
  const { pages } = await read<RootSchema>(`v2/preferencecenters/${center}/schema`);
  const schemas = await Promise.all(
    pages.map(({ id }) => read<PageSchema>(`v2/preferencecenterpage/${id}/schema`)),
  );
  const elements = schemas.flatMap(({ sections }) =>
    sections.flatMap((section) => section.customDataElements),
  );
  return Object.fromEntries(elements.map(({ id, name }) => [id.toLowerCase(), name]));
}
