/** `row`: the id of the one row for which it is sealed; in another one it does not open. */
export type SealPurpose = string | { readonly purpose: string; readonly row: string };
