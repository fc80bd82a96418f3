// Keeps the page of interviews on a tablet: these files with these hashes, and no others. It stands between the page
// and the site for nothing else, and its scope is its own folder: no page of a respondent is ever under it.

const FILES = {}; // which the site writes in: the hash of each file by its address
const CACHE = `interviews ${FILES['/i/']}`;

/** A file as the site serves it, if it has the hash. */
async function fetched(address) {
	const answer = await fetch(address, {cache: 'no-store', credentials: 'omit', redirect: 'error'});
	const bytes = await answer.arrayBuffer();
	const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
	if (Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('') !== FILES[address])
		throw new TypeError(`${address} is of another version.`);
	return new Response(bytes, {headers: answer.headers});
}

async function keep() {
	const cache = await caches.open(CACHE);
	await Promise.all(Object.keys(FILES).map(async address => cache.put(address, await fetched(address))));
}

async function forgetEarlier() {
	const names = await caches.keys();
	await Promise.all(names.filter(name => name !== CACHE).map(name => caches.delete(name)));
	await clients.claim();
}

addEventListener('install', event => event.waitUntil(keep()));
addEventListener('activate', event => event.waitUntil(forgetEarlier()));
addEventListener('fetch', event => {
	const {origin, pathname} = new URL(event.request.url);
	if (origin !== location.origin || !Object.hasOwn(FILES, pathname)) return;
	event.respondWith(caches.match(pathname, {cacheName: CACHE}).then(kept => kept ?? fetched(pathname)));
});
