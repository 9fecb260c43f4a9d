import { afterAll, beforeAll, expect, it } from 'vitest';
import { PERSON_MARKER, PHONE_MARKER } from '#marketplaces/sandbox/order-book/persons.ts';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { errorsOf, openStage, signIn, type Stage, violationsOf, visit } from '../../stages/browser.ts';
import { importFile, runExport } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { firstPayloads, payloads, planted } from '../../stages/http/markup-payloads.ts';
import { rule } from '../../stages/feed/rule-page.ts';

const [image, script, svg, quote, link, title, frame, template, anchor, math] = firstPayloads;
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const person = {
  name: `${PERSON_MARKER} ${image}`,
  company: `${PERSON_MARKER} ${script}`,
  lines: [`${PERSON_MARKER} ${svg}`, title],
  postalCode: '10115',
  city: frame,
  region: math,
  country: 'DE',
  email: 'kanari@beispiel.de',
  phone: `${PHONE_MARKER} ${anchor}`,
};

let stage: Stage;
let paths: string[];
beforeAll(async () => {
  stage = await openStage();
  const { kontor } = stage;
  const { masterid } = await kontor.ask(api.createMaster, { body: { name: title } });
  const header = ['sku', 'titel', 'von', 'bis', 'normal', 'Bild', image, script, 'Beschreibung'];
  const rows = payloads.map((text, n) =>
    [
      `${n}${text}`,
      text,
      '10,00',
      '20,00',
      '15,00',
      link,
      text,
      svg,
      `<p onclick=alert(1)>${planted(n < 12 ? 5000 : 100)}</p>`,
    ]
      .map(cell)
      .join(';'),
  );
  await importFile(
    kontor,
    masterid,
    { name: `${svg}.csv`, bytes: [header.map(cell).join(';'), ...rows].join('\n') },
    { key: 'sku' },
  );
  await importFile(kontor, masterid, { name: `${script}.csv`, bytes: '' });
  const written = rule(image, {
    query: { field: image, select: 'contains', value: script },
    action: { field: frame, select: 'set', value: [{ type: '_string', value: planted(5000) }] },
  });
  await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [{ ...written, description: planted(9000) }] });
  await kontor.ask(api.saveMapping, {
    params: { masterid, mappingid: 'mapping001' },
    body: {
      name: script,
      description: planted(9000),
      data: [
        {
          id: 'r1',
          field: [{ type: '_field', value: image, caption: svg }],
          filter: 'is_equal',
          value: anchor,
          target: template,
          catname: title,
        },
      ],
    },
  });
  const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: quote, channel: 'google' } });
  await runExport(kontor, id);
  const seller = { masterid, marketplace: 'A1PA6795UKMFR9' as const, sellerId: 'A3WIR' };
  const account = await kontor.ask(api.createMarketplaceAccount, { body: { ...seller, name: script } });
  const priced = { ...undercutting('Regel00001', image, ['von', 'bis', 'normal']), description: planted(9000) };
  await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: priced.id }, body: priced });
  await kontor.ask(api.addNote, { body: { date: new Date().toISOString().slice(0, 10), note: planted(2000) } });
  const line = { sku: `0${image}`, title: script };
  await takeOrders(kontor, id, [
    { orderid: `O-1${image}`, buyer_order_number: svg, lines: [line], persons: { buyer: person, delivery: person } },
  ]);
  await kontor.ask(api.createView, { body: { table: 'items', masterid, name: image, query: '' } });
  await kontor.ask(api.createToken, { body: { name: script, role: 'viewer' } });
  const assigned = {
    id: 'zeile00001',
    field: [{ type: '_field' as const, value: image, caption: svg }],
    value: anchor,
    target: template,
    catname: title,
  };
  await kontor.ask(api.saveBrands, { params: { id }, body: [assigned] });
  await kontor.ask(api.saveColors, { params: { id }, body: [assigned] });
  await kontor.ask(api.saveCategories, {
    params: { id },
    body: [
      {
        id: 'zeile00001',
        field: [{ input: { type: '_field', value: image, caption: svg }, filter: 'contains', value: frame }],
        target: template,
        catname: math,
        producttyp: quote,
      },
    ],
  });
  const { id: gone } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: link } });
  await kontor.ask(api.trashExport, { params: { id: gone }, body: { name: link } });
  const [item, order, search] = [`0${image}`, `O-1${image}`, script].map(encodeURIComponent);
  paths = [
    '/',
    `/master/${masterid}/import`,
    `/master/${masterid}/artikel?suche=${search}`,
    `/master/${masterid}/artikel?je=100`,
    `/master/${masterid}/artikel/${item}`,
    `/master/${masterid}/regeln`,
    `/master/${masterid}/mappings`,
    `/master/${masterid}/shop-mappings`,
    `/exports/${id}`,
    `/exports/${id}/regeln`,
    `/exports/${id}/kategorien`,
    `/exports/${id}/marken`,
    `/exports/${id}/farben`,
    `/exports/${id}/attribute`,
    `/exports/${id}/einstellungen`,
    `/exports/${id}/feldaufbau`,
    `/exports/${id}/diagnose`,
    `/exports/${id}/erklaerung?artikel=${item}`,
    `/exports/${id}/uebertragung`,
    `/repricer/${masterid}`,
    `/repricer/${masterid}/dashboard`,
    `/${seller.marketplace}/repricer/${masterid}/delete`,
    `/kanaele/${account.id}/uebertragung`,
    `/bestellungen?suche=${search}`,
    '/bestellungen?filter=alle',
    `/bestellungen/${order}?kanal=${id}`,
    '/bestellungen/auswertung',
    '/bestellungen/druck/pickliste',
    '/bestellungen/druck/lieferscheine',
    '/bestand',
    '/verlauf',
    `/verlauf/rules/master:${masterid}`,
    '/benachrichtigungen',
    '/papierkorb',
    '/betrieb',
    '/hallo',
    '/einstellungen',
    '/einstellungen/firmendaten',
    '/einstellungen/kanaele',
    '/einstellungen/benachrichtigungen',
    '/einstellungen/sicherheitsprotokoll',
    '/konto',
    `/login?zurueck=${encodeURIComponent(link)}`,
  ];
}, 180_000);
afterAll(() => stage.close());

const isAt = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\/:\w+\?/g, '(/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}$`).test(
    path.split('?')[0] ?? '',
  );

it('T11 markup in any text of a merchant, catalogue or buyer is shown as text on every screen and never runs', async () => {
  const page = await stage.openPage();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(page.url());
    void dialog.dismiss();
  });
  await signIn(page);
  const shown = new Set<string>();
  for (const path of paths) {
    await visit(page, path);
    await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);
    const planted = page.locator('[onerror], [onload], [onclick], main iframe, a[href^="javascript:"], main math');
    expect([path, await planted.count()]).toEqual([path, 0]);
    // Pages render tabs and line ends as a space.
    const text = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
    for (const payload of payloads) if (text.includes(payload.replaceAll(/\s+/g, ' '))) shown.add(payload);
    // A picture that cannot be loaded is a network error, not a defect of the page.
    const broken = errorsOf(page).filter((line) => !line.includes('Failed to load resource'));
    expect([path, ...broken]).toEqual([path]);
  }
  expect(dialogs).toEqual([]);
  // A new screen belongs in the list. Those left out show no text of a user, or the effect of a change that is a day old.
  const visited = Object.entries(pages).filter(([, { path }]) => paths.some((one) => isAt(path, one)));
  const left = Object.keys(pages).filter((name) => !visited.some(([one]) => one === name));
  expect(left.toSorted()).toEqual([
    'explain',
    'forgotPassword',
    'invitation',
    'newPassword',
    'ruleChange',
    'secondFactor',
  ]);
  // If the texts were not visible anywhere, the pages would have proved nothing.
  expect([...shown].toSorted()).toEqual([...payloads].toSorted());
}, 300_000);

it('T11 the browser refuses HTML without our Trusted Types policy, and any other policy', async () => {
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, '/');
  const tried = await page.evaluate(`(() => {
    const tries = {
      image: () => { document.body.innerHTML = '<img src="x" onerror="document.title = 1">'; },
      beside: () => document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="document.title = 1">'),
      document: () => new DOMParser().parseFromString('<p>a</p>', 'text/html'),
      frame: () => { document.createElement('iframe').srcdoc = '<script>document.title = 1</scr' + 'ipt>'; },
      script: () => { document.createElement('script').src = '/assets/a.js'; },
      code: () => { document.createElement('script').textContent = 'document.title = 1'; },
      policy: () => trustedTypes.createPolicy('other', { createHTML: (html) => html }),
      twice: () => trustedTypes.createPolicy('default', { createHTML: (html) => html }),
      text: () => { document.createElement('p').innerHTML = 'a > b & c'; },
    };
    return Object.entries(tries).map(([name, attempt]) => {
      try { attempt(); return name + ' passed'; } catch (error) { return name + ' ' + error.name; }
    });
  })()`);
  expect(tried).toEqual([
    'image TypeError',
    'beside TypeError',
    'document TypeError',
    'frame TypeError',
    'script TypeError',
    'code TypeError',
    'policy TypeError',
    'twice TypeError',
    'text passed',
  ]);
  // The test itself would fail because of them, so they are removed.
  await expect.poll(() => violationsOf(page).length).toBe(8);
  violationsOf(page).splice(0);
});

it('T11 a style element takes effect only with the nonce of its page, however it came there', async () => {
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, '/');
  const sizes = await page.evaluate(`(() => {
    const sizeWith = (prepare) => {
      const style = document.createElement('style');
      prepare(style);
      style.textContent = 'main { font-size: 31px !important; }';
      document.head.append(style);
      const { fontSize } = getComputedStyle(document.querySelector('main'));
      style.remove();
      return fontSize === '31px';
    };
    const { nonce } = document.querySelector('script');
    return {
      without: sizeWith(() => {}),
      wrong: sizeWith((style) => style.setAttribute('nonce', 'bm90IGl0')),
      own: sizeWith((style) => style.setAttribute('nonce', nonce)),
      // What is planted could read attributes by selectors, so the nonce stands in none.
      shown: document.querySelectorAll('[nonce]:not([nonce=""])').length,
    };
  })()`);
  expect(sizes).toEqual({ without: false, wrong: false, own: true, shown: 0 });
  await expect.poll(() => violationsOf(page).length).toBe(2);
  violationsOf(page).splice(0);
});
