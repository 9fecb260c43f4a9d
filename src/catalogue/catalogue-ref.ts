/** One catalogue: the company that owns it, and the master's id. */
export type CatalogueRef = { readonly company: string; readonly masterid: string };
