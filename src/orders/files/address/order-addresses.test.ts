import { describe, expect, it } from 'vitest';
import { countryCode } from './countries.ts';
import { readOrderFile } from '#orders/files/order-file.ts';

const read = (text: string) => readOrderFile(new TextEncoder().encode(text));
const delivery = (head: string, row: string) =>
  read(`Bestellnummer;Datum;SKU;Menge;${head}\nB-1;2026-01-01;A;1;${row}`).orders[0]?.persons?.delivery;

describe('addresses in order tables', () => {
  it("every address line of Amazon's report is kept: the third has the post number of a parcel locker", () => {
    const { orders } = read(
      'order-id\torder-item-id\tpurchase-date\tbuyer-email\tsku\tquantity-purchased\trecipient-name\tship-address-1\tship-address-2\tship-address-3\tship-city\tship-state\tship-postal-code\tship-country\tship-phone-number\n' +
        '028-1\t77\t2026-03-01T10:00:00+00:00\tk@beispiel.de\tA\t1\tKanari Vogel\tPackstation 145\tFirma Vogel\t1234567890\tKöln\tNRW\t51147\tDE\t0221 1',
    );
    expect(orders[0]?.persons?.delivery).toEqual({
      name: 'Kanari Vogel',
      company: '',
      lines: ['Packstation 145', 'Firma Vogel', '1234567890'],
      postalCode: '51147',
      city: 'Köln',
      region: 'NRW',
      country: 'DE',
      email: 'k@beispiel.de',
      phone: '0221 1',
    });
  });

  it('an empty column does not hide a filled one of another name', () => {
    expect(
      delivery(
        'Liefername;Empfänger;Lieferstraße;Lieferstrasse;Liefer-PLZ;Versand-PLZ;Lieferort;Shipping City;Lieferland;Versandland',
        ';Kanari Vogel;;Käfigweg 1;;80636;;München;;DE',
      ),
    ).toMatchObject({
      name: 'Kanari Vogel',
      lines: ['Käfigweg 1'],
      postalCode: '80636',
      city: 'München',
      country: 'DE',
    });
    expect(
      delivery('Firma;Company;Straße;Strasse;PLZ;Postleitzahl;Ort;Stadt', ';Vogel GmbH;;Käfigweg 1;;80636;;München'),
    ).toMatchObject({ company: 'Vogel GmbH', lines: ['Käfigweg 1'], postalCode: '80636', city: 'München' });
    // A second column of the same name belongs to another address.
    const head = 'Firma;Vorname;Nachname;Straße;PLZ;Ort;Firma;Vorname;Nachname;Straße;PLZ;Ort';
    const row = ';Kanari;Vogel;Käfigweg 1;80636;München;Amt;Bert;Dohle;Turm 2;50667;Köln';
    expect(delivery(head, row)).toMatchObject({ company: '', name: 'Kanari Vogel', city: 'München' });
  });

  it("the buyer's whole name in one column is read; one called only Name is an article unless a street follows", () => {
    const place = 'Straße;PLZ;Ort';
    for (const head of [`Kundenname;${place}`, `Name des Käufers;${place}`, `Name;${place}`, `Name;Firma;${place}`])
      expect(
        delivery(head, `Kanari Vogel;${head.includes('Firma') ? 'Vogel GmbH;' : ''}Käfigweg 1;80636;München`),
      ).toMatchObject({
        name: 'Kanari Vogel',
        lines: ['Käfigweg 1'],
        city: 'München',
      });
    for (const head of ['Vorname;Name', 'Anrede;Vorname;Name'])
      expect(
        delivery(`${head};${place}`, `${head.startsWith('A') ? 'Frau;' : ''}Kanari;Vogel;Käfigweg 1;80636;München`),
      ).toMatchObject({ name: 'Kanari Vogel', company: '' });
    expect(delivery(`Name;Vorname;${place}`, 'Vogel;Kanari;Käfigweg 1;80636;München')).toMatchObject({
      name: 'Kanari Vogel',
    });
    const row = 'Vogel GmbH;Kanari;Vögelein;Käfigweg 1;80636;München';
    expect(delivery(`Kundenname;Vorname;Nachname;${place}`, row)).toMatchObject({
      name: 'Kanari Vögelein',
      company: 'Vogel GmbH',
    });
    expect(delivery(`Name;Preis;${place}`, 'Hammer;9,90;Käfigweg 1;80636;München')).toMatchObject({ name: '' });
    expect(delivery(`Name;Vorname;Nachname;${place}`, 'Hammer;Kanari;Vogel;Käfigweg 1;80636;München')).toMatchObject({
      name: 'Kanari Vogel',
    });
  });

  it("the name is read under each usual title of the buyer; a customer's number is no name", () => {
    const name = (title: string, cell = 'Kanari Vogel') =>
      delivery(`${title};Straße;PLZ;Ort`, `${cell};Käfigweg 1;80636;München`)?.name;
    const titles =
      'Kunde,Käufer,Kaeufer,Besteller,Name des Kunden,Rechnungsname,Empfängername,Buyer,Customer,Recipient';
    for (const title of titles.split(',')) expect([title, name(title)]).toEqual([title, 'Kanari Vogel']);
    for (const number of ['10023', 'K10023', 'eva_77', 'k@beispiel.de']) {
      expect(name('Kunde', number)).toBe('');
      const place = 'Straße;PLZ;Ort';
      for (const head of ['Kunde;Kundenname', 'Kunde;Name', 'Kunde;Nachname'])
        expect(delivery(`${head};${place}`, `${number};Kanari Vogel;Käfigweg 1;80636;München`)).toMatchObject({
          name: 'Kanari Vogel',
          company: '',
        });
      const whole = delivery(`Kunde;Vorname;Nachname;${place}`, `${number};Kanari;Vogel;Käfigweg 1;80636;München`);
      expect(whole).toMatchObject({ name: 'Kanari Vogel', company: '' });
      const firm = delivery(`Kunde;Firma;${place}`, `${number};Vogel GmbH;Käfigweg 1;80636;München`);
      expect(firm).toMatchObject({ name: '', company: 'Vogel GmbH' });
    }
    // A town alone is no address.
    expect(delivery('PLZ;Ort', '80636;München')).toBeUndefined();
  });

  it('the usual English and joined titles of an address are read', () => {
    const rows = ['Customer;Street;Zip;City;Country;E-mail', 'Käufer;Anschrift;PLZ;Wohnort;Land;Mail'];
    for (const head of [...rows, 'Buyer;Address 1;Postal code;Town;Country;Email address'])
      expect(delivery(head, 'Kanari Vogel;Käfigweg 1;80636;München;DE;k@beispiel.de')).toMatchObject({
        name: 'Kanari Vogel',
        lines: ['Käfigweg 1'],
        postalCode: '80636',
        city: 'München',
        country: 'DE',
        email: 'k@beispiel.de',
      });
  });

  it('an address under no title for its name is kept, and a note says how to add the name', () => {
    const table = (head: string, row: string) =>
      read(`Bestellnummer;Datum;SKU;Menge;Preis;${head}\nB-1;2026-01-01;A;1;9,90;${row}`);
    const nameless = table('Abholer;Straße;PLZ;Ort', 'Kanari Vogel;Käfigweg 1;80636;München');
    expect(nameless.orders[0]?.persons?.delivery).toMatchObject({ name: '', lines: ['Käfigweg 1'], city: 'München' });
    expect(nameless.notes).toEqual([expect.stringMatching(/^Keine Spalte der Datei ist als Name des Empfängers/)]);
    for (const file of [
      table('Kunde;Straße;PLZ;Ort', 'Kanari Vogel;Käfigweg 1;80636;München'),
      table('Firma;Straße;PLZ;Ort', 'Vogel GmbH;Käfigweg 1;80636;München'),
      table('Land', 'DE'),
    ])
      expect(file.notes).toEqual([]);
  });

  it('a house number in its own column, a company and a name in two parts are read', () => {
    const head = 'Firma;Vorname;Nachname;Straße;Hausnummer;PLZ;Ort;Telefon';
    expect(delivery(head, 'Vogel GmbH;Kanari;Vogel;Käfigweg;1 a;80636;München;089 1')).toMatchObject({
      company: 'Vogel GmbH',
      name: 'Kanari Vogel',
      lines: ['Käfigweg 1 a'],
      phone: '089 1',
    });
    expect(delivery('Firma;Straße;PLZ;Ort', 'Vogel GmbH;Käfigweg 1;80636;München')).toMatchObject({
      company: 'Vogel GmbH',
      name: '',
    });
  });

  it('a parcel goes to the delivery address of its row, and to the payer only if there is none', () => {
    const head = 'Vorname;Nachname;Straße;PLZ;Ort;Liefername;Lieferstraße;Liefer-PLZ;Lieferort;E-Mail';
    const payer = 'Kanari;Vogel;Käfigweg 1;80636;München';
    expect(delivery(head, `${payer};Amsel Drossel;Nistplatz 2;51147;Köln;k@beispiel.de`)).toMatchObject({
      name: 'Amsel Drossel',
      lines: ['Nistplatz 2'],
      postalCode: '51147',
      city: 'Köln',
      email: 'k@beispiel.de',
    });
    expect(delivery(head, `${payer};;;;;`)).toMatchObject({
      name: 'Kanari Vogel',
      lines: ['Käfigweg 1'],
      city: 'München',
    });
  });

  it("OIM-01 no part of the payer's address is used on a parcel that goes elsewhere", () => {
    const payer = 'Vorname;Nachname;Firma;Straße;Hausnummer;Adresszusatz;Adresszusatz 2;PLZ;Ort;Bundesland;Land;E-Mail';
    const max = 'Max;Muster;Muster GmbH;Hauptweg;12;Hinterhaus;3. Stock;10115;Berlin;Berlin;DE;max@beispiel.de';
    const erika = {
      name: 'Erika Lang',
      company: '',
      lines: ['Nebenweg 5'],
      postalCode: '20095',
      city: 'Hamburg',
      region: '',
      country: 'DE',
      email: 'max@beispiel.de',
      phone: '',
    };
    const elsewhere = 'Liefername;Lieferstraße;LieferPLZ;Lieferort';
    expect(delivery(`${payer};${elsewhere}`, `${max};Erika Lang;Nebenweg 5;20095;Hamburg`)).toEqual(erika);
    // A postal code under an unknown title is better left out than taken from another town.
    expect(delivery(`${payer};Liefername;Lieferstraße;Lieferort`, `${max};Erika Lang;Nebenweg 5;Hamburg`)).toEqual({
      ...erika,
      postalCode: '',
    });
    expect(delivery(`${payer};Lieferstraße;LieferPLZ;Lieferort`, `${max};Nebenweg 5;20095;Hamburg`)).toEqual({
      ...erika,
      name: 'Max Muster',
    });
    expect(delivery(`${payer};${elsewhere}`, `${max};;Nebenweg 5;20095;Hamburg`)).toEqual({
      ...erika,
      name: 'Max Muster',
    });
    // An address without a name would be invalid.
    const head = 'Firma;Straße;PLZ;Ort;Lieferstraße;LieferPLZ;Lieferort';
    expect(delivery(head, 'Muster GmbH;Hauptweg 1;10115;Berlin;Nebenweg 5;20095;Hamburg')).toMatchObject({
      company: 'Muster GmbH',
      lines: ['Nebenweg 5'],
    });
  });

  it('a table with one address and a separate recipient name is read completely', () => {
    const head = 'Empfänger;Straße;Hausnummer;Adresszusatz;PLZ;Ort;Bundesland;Land';
    expect(delivery(head, 'Erika Lang;Nebenweg;5;Hinterhaus;20095;Hamburg;HH;DE')).toMatchObject({
      name: 'Erika Lang',
      lines: ['Nebenweg 5', 'Hinterhaus'],
      postalCode: '20095',
      city: 'Hamburg',
      region: 'HH',
    });
    expect(delivery('Empfänger;Lieferstraße;PLZ;Ort', 'Erika Lang;Nebenweg 5;20095;Hamburg')).toMatchObject({
      lines: ['Nebenweg 5'],
      postalCode: '20095',
      city: 'Hamburg',
    });
  });

  it('a country is recognised by its German and English names; an unknown one is kept as text', () => {
    const country = (text: string) => {
      const [order] = read(`Bestellnummer;Datum;SKU;Menge;Empfänger;Land\nB-1;2026-01-01;A;1;Kanari;${text}`).orders;
      return [order?.country, order?.persons?.delivery?.country, order?.persons?.delivery?.region];
    };
    expect(country('Österreich')).toEqual(['AT', 'AT', '']);
    expect(country('switzerland')).toEqual(['CH', 'CH', '']);
    expect(country('Vereinigtes Königreich')).toEqual(['GB', 'GB', '']);
    expect(country('UK')).toEqual(['GB', 'GB', '']);
    expect(country('DEU')).toEqual(['DE', 'DE', '']);
    expect(country('Deutschland')).toEqual(['DE', 'DE', '']);
    const codes = {
      Oesterreich: 'AT',
      'The Netherlands': 'NL',
      'United States of America': 'US',
      Grossbritannien: 'GB',
    };
    expect(Object.keys(codes).map((name) => country(name)[0])).toEqual(Object.values(codes));
    expect(country('Mittelerde')).toEqual(['', '', 'Mittelerde']);
  });

  it("the country is read under each of its titles, the delivery's before the payer's", () => {
    const country = (head: string, row: string) =>
      read(`Bestellnummer;Datum;SKU;Menge;${head}\nB-1;2026-01-01;A;1;${row}`).orders[0]?.country;
    const titles =
      'Lieferland,Land (Lieferung),Lieferung Land,Shipping Country Code,delivery country,Land ISO,Land-ISO,Ländercode,Country Code,Rechnungsland,Land (Rechnung)';
    for (const title of titles.split(',')) expect([title, country(title, 'AT')]).toEqual([title, 'AT']);
    for (const title of titles.split(',').slice(0, 5)) {
      expect([title, country(`Rechnungsland;${title}`, 'DE;AT')]).toEqual([title, 'AT']);
      const address = 'Nachname;Straße;PLZ;Ort;Land';
      expect([title, country(`${address};${title}`, 'Vogel;Weg 1;1010;Wien;DE;AT')]).toEqual([title, 'AT']);
      expect([title, country(`${address};${title}`, 'Vogel;Weg 1;50667;Köln;DE;')]).toEqual([title, 'DE']);
    }
    // No delivery address is written in this row: the parcel goes to the payer, whatever the program writes as country.
    expect(country('Nachname;Land;Liefername;Lieferland', 'Vogel;AT;;DE')).toBe('AT');
  });

  it('three-letter codes are recognised for countries in the EU and around it', () => {
    const three =
      'AUT BEL BGR CHE CYP CZE DEU DNK ESP EST FIN FRA GBR GRC HRV HUN IRL ITA LIE LTU LUX LVA MLT NLD NOR POL PRT ROU SVK SVN SWE USA';
    const two = 'AT BE BG CH CY CZ DE DK ES EE FI FR GB GR HR HU IE IT LI LT LU LV MT NL NO PL PT RO SK SI SE US';
    expect(three.split(' ').map(countryCode)).toEqual(two.split(' '));
  });

  it('a German postal code gets back the leading zero that spreadsheets remove', () => {
    const code = (country: string, text: string) =>
      delivery('Empfänger;PLZ;Land', `Kanari;${text};${country}`)?.postalCode;
    expect([code('Deutschland', '1067'), code('AT', '1067'), code('', '1067'), code('DE', '="01067"')]).toEqual([
      '01067',
      '1067',
      '1067',
      '01067',
    ]);
  });

  it('an order number shortened by a spreadsheet is refused, not confused with another', () => {
    const { orders, rejected } = read('Bestellnummer;Datum;SKU;Menge\n4,05E+11;2026-01-01;A;1\n="0815";2026-01-01;A;1');
    expect(orders.map(({ orderid }) => orderid)).toEqual(['0815']);
    expect(rejected[0]?.message).toBe(
      '„4,05E+11“ ist keine vollständige Bestellnummer mehr: die Tabellenkalkulation hat sie gekürzt. Bitte formatieren Sie die Spalte als Text und fügen Sie die Nummern neu ein.',
    );
  });

  it('openTRANS with a three-letter country code, a region or only a country name is read like a table', () => {
    const country = (element: string) =>
      read(
        `<ORDER><ORDER_HEADER><ORDER_INFO><ORDER_ID>1</ORDER_ID><ORDER_DATE>2026-04-28</ORDER_DATE><PARTIES><PARTY>
      <PARTY_ROLE>delivery</PARTY_ROLE><ADDRESS><NAME>Kanari</NAME>${element}</ADDRESS></PARTY></PARTIES></ORDER_INFO></ORDER_HEADER>
      <ORDER_ITEM><LINE_ITEM_ID>1</LINE_ITEM_ID><PRODUCT_ID><SUPPLIER_PID>A</SUPPLIER_PID></PRODUCT_ID><QUANTITY>1</QUANTITY></ORDER_ITEM></ORDER>`,
      ).orders[0]?.country;
    expect(country('<COUNTRY>Österreich</COUNTRY>')).toBe('AT');
    expect(['AUT', 'PRT', 'DE', 'DE-BY'].map((code) => country(`<COUNTRY_CODED>${code}</COUNTRY_CODED>`))).toEqual([
      'AT',
      'PT',
      'DE',
      'DE',
    ]);
  });
});
