import { api } from '#shared/http/api.ts';
import { importFile, type TestKontor } from '../kontor.ts';

export const deliveriesOf = async (kontor: TestKontor) => (await kontor.ask(api.deliveries)).deliveries;

export const newestDelivery = async (kontor: TestKontor, channel: string) =>
  (await deliveriesOf(kontor)).find((one) => one.channel === channel);

let made = 0;
/** Makes a run fail, with an empty file; returns the catalogue's name. */
export async function failImport(kontor: TestKontor): Promise<string> {
  const name = `Katalog ${++made}`;
  const { masterid } = await kontor.ask(api.createMaster, { body: { name } });
  await importFile(kontor, masterid, { name: 'leer.csv', bytes: '' });
  return name;
}
