import { describe, expect, it } from 'vitest';
import { addGuard, leaveBy, leaveUnasked, unsavedForms } from './leaving.ts';

const way = { now: { pathname: '/bestand', search: '' }, next: { pathname: '/anmelden', search: '' } };
const form = (dirty: boolean, leave: boolean, said: string[]) =>
  addGuard({
    form: { current: { dirty, onSave: () => Promise.resolve(true) } },
    ask: () => {
      said.push('asked');
      return Promise.resolve(leave);
    },
  });

describe('what takes somebody away from a page', () => {
  it('asks for unsaved edits before anything is done, and does nothing if they are to stay', async () => {
    const said: string[] = [];
    const remove = form(true, false, said);
    await leaveBy(() => Promise.resolve(void said.push('signed out')));
    expect(said).toEqual(['asked']);
    expect(unsavedForms(way)).toHaveLength(1);
    remove();
  });

  it('is not asked for a second time on the way that it ends with', async () => {
    const said: string[] = [];
    const remove = form(true, true, said);
    await leaveBy(() => Promise.resolve(void said.push(`signed out, ${unsavedForms(way).length} to ask for`)));
    expect(said).toEqual(['asked', 'signed out, 0 to ask for']);
    remove();
  });

  it('asks nothing where what the edits belong to is gone', async () => {
    const said: string[] = [];
    const remove = form(true, false, said);
    await leaveUnasked(() => Promise.resolve(void said.push(`${unsavedForms(way).length} to ask for`)));
    expect(said).toEqual(['0 to ask for']);
    remove();
  });

  it('asks again where it failed: the edits are still there', async () => {
    const remove = form(true, true, []);
    await expect(leaveBy(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    expect(unsavedForms(way)).toHaveLength(1);
    remove();
  });

  it('asks nothing where all is saved', async () => {
    const said: string[] = [];
    const remove = form(false, false, said);
    await leaveBy(() => Promise.resolve(void said.push('signed out')));
    expect(said).toEqual(['signed out']);
    remove();
  });
});
