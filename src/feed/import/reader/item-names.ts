const itemName =
  /^(?:[\w-]+:)?(?:item|entry|product|produkt|artikel|article|offer|angebot|row|record|datensatz|ware|listing|goods)$/iu;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const listNames = words(
  'items entries products produkte artikel articles offers angebote rows records datensätze datensaetze waren listings goods',
);
const composedListName =
  /(?:item|entrie|product|article|offer|record)s$|(?:produkte|artikel|angebote)$|(?:item|entry|product|produkt|artikel|article|offer|angebot)list[e]?$|^(?:liste|list|array)(?:of|der)?(?:item|product|produkt|artikel|article|offer|angebot)[es]?$/u;
/** Lists that catalogues hold in addition to their items. */
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

/** Whether the name is one of a single item: `item`, `g:product`, `Artikel`. */
export function isItemName(name: string): boolean {
  return itemName.test(name);
}

/** Whether the name is one of the list of all items: `products`, `ArtikelListe`. */
export function isListName(name: string): boolean {
  return listNames.has(plain(name)) || composedListName.test(plain(name));
}

/** Whether the name is one of an element around the list of items: `catalog`, `data`, `shop`. */
export function isContainerName(name: string): boolean {
  return containerNames.has(plain(name));
}

/** Whether the name is one of a list of other things than items: categories, filters, links. */
export function isSideName(name: string): boolean {
  return sideNames.has(plain(name));
}

/** Whether the name is one of a header section that comes once before the items. */
export function isHeadName(name: string): boolean {
  return headNames.has(plain(name)) || sideNames.has(plain(name));
}

/** Whether the name is one under which an error response reports its error instead of items. */
export function isErrorName(name: string): boolean {
  return errorNames.has(plain(name));
}

/** Whether the name is one of a list of column names, for rows that are arrays of values. */
export function isColumnsName(name: string): boolean {
  return columnsNames.has(plain(name));
}
