const itemName =
  /^(?:[\w-]+:)?(?:item|entry|product|produkt|artikel|article|offer|angebot|row|record|datensatz|ware|listing|goods)$/iu;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const listNames = words(
  'items entries products produkte artikel articles offers angebote rows records datensätze datensaetze waren listings goods',
);
const composedListName =
  /(?:item|entrie|product|article|offer|record)s$|(?:produkte|artikel|angebote)$|(?:item|entry|product|produkt|artikel|article|offer|angebot)list[e]?$|^(?:liste|list|array)(?:of|der)?(?:item|product|produkt|artikel|article|offer|angebot)[es]?$/u;
/** What catalogues list beside their items. */
const sideNames = words(
  'category categories kategorie kategorien facet facets filter filters link links image images bild bilder brand brands marke marken manufacturer manufacturers hersteller currency currencies währung währungen waehrungen language languages sprache sprachen attribute attributes merkmal merkmale tag tags param params option options warning warnings column columns field fields page pages store stores author contributor generator shipping delivery',
);
const headNames = words(
  'header head kopf meta metadata info information status shop channel company merchant händler haendler firma kontakt contact config settings paging pagination request summary statistics error errors fehler fault exception',
);
const errorNames = words('error errors fehler fault exception exceptions errormessage');
const columnsNames = words(
  'columns columnnames cols header headers head fields fieldnames spalten kopf kopfzeile names',
);
const containerNames = words(
  'shop store catalog catalogue katalog data daten feed channel export root document payload response result results ergebnis ergebnisse list liste values inventory bestand content contents elements hits docs edges nodes',
);

function plain(name: string): string {
  return name
    .slice(name.lastIndexOf(':') + 1)
    .toLowerCase()
    .replaceAll(/[\s_.-]+/gu, '');
}

/** Whether one of many is called so: `item`, `g:product`, `Artikel`. */
export function isItemName(name: string): boolean {
  return itemName.test(name);
}

/** Whether the list of all items is called so: `products`, `ArtikelListe`. */
export function isListName(name: string): boolean {
  return listNames.has(plain(name)) || composedListName.test(plain(name));
}

/** What surrounds the list of all items: `catalog`, `data`, `shop`. */
export function isContainerName(name: string): boolean {
  return containerNames.has(plain(name));
}

/** Lists beside the items: categories, filters, links. */
export function isSideName(name: string): boolean {
  return sideNames.has(plain(name));
}

/** What stands once above the items, and is none. */
export function isHeadName(name: string): boolean {
  return headNames.has(plain(name)) || sideNames.has(plain(name));
}

/** What answers hold in the place of items when something went wrong. */
export function isErrorName(name: string): boolean {
  return errorNames.has(plain(name));
}

/** Names of columns, where rows are lists of values. */
export function isColumnsName(name: string): boolean {
  return columnsNames.has(plain(name));
}
