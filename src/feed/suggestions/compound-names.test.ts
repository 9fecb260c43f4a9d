import { expect, test } from 'vitest';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { FieldNames } from './field-names.ts';

function best(channel: string, name: string): string | undefined {
  const names = new FieldNames(templateOf(channel)?.fields ?? []);
  const [found] = [...names.likeness([name])].toSorted(([, one], [, other]) => other.score - one.score);
  return found && found[1].score >= 0.6 ? found[0] : undefined;
}

test.each([
  ['Beschreibungsfeld', 'description'],
  ['Beschreibungstext', 'description'],
  ['Kurzbeschreibung', 'description'],
  ['Kurztext', 'description'],
  ['Titelfeld', 'title'],
  ['Preisfeld', 'price'],
  ['Artikelpreis', 'price'],
  ['Herstellerartikelnr', 'hans'],
  ['Bildlink', 'imageUrls'],
  ['Bildpfad', 'imageUrls'],
  ['Produktbild', 'imageUrls'],
  ['Artikelbild 1', 'imageUrls'],
  ['Foto', 'imageUrls'],
  ['Galerie', 'imageUrls'],
  ['Zusatzbilder', 'imageUrls'],
  ['Artikellink', 'url'],
  ['Shoplink', 'url'],
  ['Produktfarbe', 'colour'],
])('idealo: %s is matched by the parts of the compound', (name, field) => {
  expect(best('idealo', name)).toBe(field);
});

test.each([
  ['google', 'Beschreibungsfeld', 'description'],
  ['google', 'Lagerbestand', 'availability'],
  ['check24', 'Beschreibungstext', 'description'],
  ['kaufland_product', 'Kurzbeschreibung', 'short_description'],
])('%s: %s', (channel, name, field) => {
  expect(best(channel, name)).toBe(field);
});

test.each(['Shopname', 'Bildtext', 'Artikelgruppe', 'Produktdaten', 'Artikelstatus', 'Kurzname', 'Fotograf'])(
  '%s matches no field',
  (name) => {
    expect(best('idealo', name)).toBeUndefined();
  },
);
