import { describe, expect, it } from 'vitest';
import { addGuard, leaveBy, leaveWithoutPrompt, unsavedForms } from './leaving.ts';

const way = { now: { pathname: '/bestand', search: '' }, next: { pathname: '/anmelden', search: '' } };
const form = (dirty: boolean, leave: boolean, said: string[]) =>
  addGuard({
    form: { current: { dirty, onSave: () => Promise.resolve(true) } },
    ask: () => {
      said.push('asked');
      return Promise.resolve(leave);
    },
  });

describe('leaving a page', () => {
  it('asks about unsaved edits before the action, and skips the action if the user stays', async () => {
    const said: string[] = [];
    const remove = form(true, false, said);
    await leaveBy(() => Promise.resolve(void said.push('signed out')));
    expect(said).toEqual(['asked']);
    expect(unsavedForms(way)).toHaveLength(1);
    remove();
  });

  it('does not ask again during the navigation that follows the action', async () => {
    const said: string[] = [];
    const remove = form(true, true, said);
    await leaveBy(() => Promise.resolve(void said.push(`signed out, ${unsavedForms(way).length} to ask for`)));
    expect(said).toEqual(['asked', 'signed out, 0 to ask for']);
    remove();
  });

  it('does not ask if the object being edited no longer exists', async () => {
    const said: string[] = [];
    const remove = form(true, false, said);
    await leaveWithoutPrompt(() => Promise.resolve(void said.push(`${unsavedForms(way).length} to ask for`)));
    expect(said).toEqual(['0 to ask for']);
    remove();
  });

  it('asks again after the action failed, since the edits are still there', async () => {
    const remove = form(true, true, []);
    await expect(leaveBy(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    expect(unsavedForms(way)).toHaveLength(1);
    remove();
  });

  it('does not ask if everything is saved', async () => {
    const said: string[] = [];
    const remove = form(false, false, said);
    await leaveBy(() => Promise.resolve(void said.push('signed out')));
    expect(said).toEqual(['signed out']);
    remove();
  });
});
