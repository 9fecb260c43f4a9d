/** Names of columns and properties in lists of channels and classification systems, by meaning. */
const parent = /parent|eltern|übergeordnet|oberkategorie|^ober|(?:^|[_\s-])über/i;
const path = /path|pfad|breadcrumb|full[ _-]?name|hierarchi(?:e|y)$/i;
const color = /hex|rgb/i;
/** 'id', 'Kategorie-Nr.', 'id_category', 'Node ID', 'valueid'. */
const id =
  /(?:^|[^a-zäöüß])(?:g?id|nr|nummer|number|code|kennung|ident|key|schlüssel)(?:$|[^a-zäöüß])|(?:[a-zäöüß]{3}(?:g?id|nr|nummer|code|kennung|key|schlüssel))\.?$/i;

const spelled = (title: string): string => title.trim().replaceAll(/(?<=[a-zäöüß])(?=[A-ZÄÖÜ])/g, '_');

export const isParent = (title: string): boolean => parent.test(spelled(title));
export const isPath = (title: string): boolean => path.test(title.trim());
export const isLevel = (title: string): boolean =>
  /^(?:l|lvl|level|ebene|stufe|kategorie|category|cat|warengruppe)[ _-]*(?:(?:level|ebene|stufe)[ _-]*)?\d+$/i.test(
    title.trim(),
  );
/** Whether a column may contain ids; its values decide (a system's id is equal in every row). */
export const isId = (title: string): boolean =>
  (id.test(spelled(title)) || /^(?:coded[ _]?name|ral)$/i.test(title.trim())) &&
  !parent.test(spelled(title)) &&
  !color.test(title);
export const isName = (title: string): boolean =>
  /name|bezeichnung|title|titel|label|(?:class|group|feature|value|unit)desc$|^(?:kategorie|category|marke|brand|hersteller|manufacturer|farbe|colou?r|wert|value)$/i.test(
    title.trim(),
  ) &&
  !isParent(title) &&
  !isPath(title);
export const isInfo = (title: string): boolean => /info|typ$|type$|hex|beschreibung|description/i.test(title.trim());

/** Columns used as names if none is named like that, best first: the language of a colour table, or Shopware's descriptions. */
export const NAMED_OTHERWISE: readonly RegExp[] = [
  /^(?:deutsch|german|deu?)$/i,
  /^(?:beschreibung|description)$/i,
  /^(?:englisch|english|en)$/i,
];

/** An attribute that a table names beside its categories or beside the values that it may have. */
export const isAttribute = (title: string): boolean =>
  /^(?:attribut|merkmal|eigenschaft|attribute|feature|property)(?:e?s?[ _-]?(?:name|bezeichnung))?$/i.test(
    title.trim(),
  );
/** The values of an attribute: one a row, or several in a cell where the title says so. */
export const isValue = (title: string): boolean =>
  /^(?:(?:erlaubter?|zulässiger?|möglicher?|gültiger?|allowed|possible|valid|attribut(?:e|s)?|merkmals?|property)[ _-]?)?(?:werte?|values?|ausprägung(?:en)?)(?:[ _-]?(?:name|bezeichnung))?$/i.test(
    title.trim(),
  );
export const isRequired = (title: string): boolean =>
  /^(?:pflicht(?:feld|attribut|merkmal)?|required|mandatory|erforderlich)\??$/i.test(title.trim());
