/** Returns a tracking number without the blanks that carriers print in it and that are pasted with it: 0034 0434 is 00340434. */
export const bareTracking = (text: string): string => text.replaceAll(/[\s\u200b]/g, '');
