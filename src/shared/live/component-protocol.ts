/** Media type of an answer that is a live component; any other answer is none (LVC-03). */
export const LIVE_MEDIA_TYPE = 'application/vnd.live-component+html';
/** Says, with status 204 and `Location`, that the browser is to go elsewhere. */
export const LIVE_REDIRECT_HEADER = 'x-live-redirect';
/** Actions that one request may carry. */
export const MOST_ACTIONS = 50;
/** Characters of an address with which a component may be asked by GET; longer requests go by POST. */
export const MOST_GET_CHARACTERS = 1500;
/** What a component is asked to do when it is only to be drawn anew. */
export const RENDER = '$render';
