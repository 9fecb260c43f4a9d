import { api } from '#shared/http/api.ts';
import type { UploadSave } from '#shared/upload/schema.ts';
import type { SftpServer } from '../../servers/sftp-server.ts';
import { settled, type TestKontor } from '../kontor.ts';

/** Three thousand items: a file that takes a moment to send. */
export const csv = `sku;titel\n${Array.from({ length: 3000 }, (_, index) => `A-${index};Ware mit langem Namen Nummer ${index}\n`).join('')}`;

/** Returns what tests do with the uploads of a catalogue's exports to a channel's server. */
export function uploadsOf(place: () => { kontor: TestKontor; masterid: string; server: SftpServer }) {
  const body = { name: 'Kanal', format: { kind: 'csv' as const } };
  return {
    newExport: async () => {
      const { kontor, masterid } = place();
      return (await kontor.ask(api.createExport, { params: { masterid }, body })).id;
    },
    settings: (more: Partial<UploadSave> = {}): UploadSave => ({
      active: true,
      host: '127.0.0.1',
      port: place().server.port,
      user: 'kanal',
      pass: 'geheim',
      dir: '/eingang',
      filename: 'datei.csv',
      ...more,
    }),
    save: (id: string, given: object) =>
      place().kontor.ask(api.saveUpload, { params: { id }, body: given as UploadSave }),
    check: (port: number, more: object = {}) =>
      place().kontor.ask(api.checkUpload, {
        body: { host: '127.0.0.1', port, username: 'kanal', password: 'geheim', ...more },
      }),
    uploaded: async (id: string) => {
      const { kontor } = place();
      return settled(kontor, (await kontor.ask(api.uploadNow, { params: { id } })).runid);
    },
  };
}
