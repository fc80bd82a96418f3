// Compares what a site serves to this browser with manifest.json, which lies beside this file: the manifest of a
// release. What this proves, and what not, stands on the page.

// Headers of the transport: web servers and proxies set them, and none changes what a browser does with the page.
const TRANSPORT = [
	'alt-svc',
	'connection',
	'content-encoding',
	'content-language',
	'content-length',
	'date',
	'keep-alive',
	'server',
	'strict-transport-security',
	'transfer-encoding',
	'vary',
	'via',
];

const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

const hashed = async bytes => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** The site and the path of a survey; of the fragment nothing is read. */
function read(link) {
	const {protocol, hostname, origin, pathname} = new URL(link);
	const isSafe = protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname);
	if (!isSafe || !/^\/[sf]\/[\w-]+\/$/.test(pathname)) throw new TypeError();
	return {origin, path: pathname};
}

/** Whether a header is as the manifest has it. The policy of a page in a frame names the sites that may hold it. */
function isAs(value, declared) {
	const [before, after] = declared?.split('{sites}') ?? [];
	if (after === undefined || !value?.startsWith(before) || !value.endsWith(after)) return value === declared;
	return /^(https?:\/\/[a-z0-9.:-]+ ?)+$/.test(value.slice(before.length, value.length - after.length));
}

/** What differs in one file: a sentence each. */
async function compare(address, {sha256, type}, declared, allowed) {
	let answer;
	try {
		// No cookie, nothing from the browser's cache, and no other address in place of this one.
		answer = await fetch(address, {
			credentials: 'omit',
			cache: 'no-store',
			redirect: 'error',
			referrerPolicy: 'no-referrer',
		});
		if (answer.status !== 200) return [`the answer is ${answer.status}, must be 200`];
		if ((await hashed(await answer.arrayBuffer())) !== sha256) return ['other bytes'];
	} catch {
		return ['could not be loaded, or this page may not read it'];
	}
	const headers = {'Content-Type': type, ...declared};
	const wrong = Object.entries(headers)
		.filter(([name, value]) => !isAs(answer.headers.get(name), value))
		.map(([name, value]) => `${name} is ${JSON.stringify(answer.headers.get(name))}, must be ${JSON.stringify(value)}`);
	const known = [...allowed, ...Object.keys(headers).map(name => name.toLowerCase())]; // null: not there
	const more = declared ? [...answer.headers.keys()].filter(name => !known.includes(name)) : [];
	return [...wrong, ...more.map(name => `${name} must not be there`)];
}

async function check({origin, path}, {files, page, framed}) {
	// The manifest of 0.1.0 does not say what the page preloads.
	const allowed = Object.values(files).some(file => file.headers) ? TRANSPORT : [...TRANSPORT, 'link'];
	const each = Object.entries(files).map(async ([place, file]) => {
		const isFramed = place === 's/any/' && path.startsWith('/f/');
		const where = `/${place}`.replace('/s/any/', isFramed ? path : path.replace('/f/', '/s/'));
		const declared = /^(s\/any|i)\//.test(place) && {...page, ...file.headers, ...(isFramed && framed)};
		return (await compare(origin + where, file, declared, allowed)).map(sentence => `${where}: ${sentence}`);
	});
	return (await Promise.all(each)).flat();
}

const show = (said, differences = []) => {
	document.getElementById('said').textContent = said;
	document.getElementById('differences').replaceChildren(
		...differences.map(sentence => {
			const item = document.createElement('li');
			item.textContent = sentence;
			return item;
		}),
	);
};

const manifest = await (await fetch('manifest.json')).json();
document.getElementById('version').textContent = manifest.version;
document.querySelector('form').addEventListener('submit', async event => {
	event.preventDefault();
	const field = document.getElementById('link');
	let survey;
	try {
		survey = read(field.value);
	} catch {
		show('This is no link of a survey: it must look like https://survey.example.org/s/name/');
		return;
	}
	field.value = survey.origin + survey.path; // an invitation must not stay here
	show('Checking …');
	const differences = await check(survey, manifest);
	const count = Object.keys(manifest.files).length;
	show(
		differences.length
			? `${survey.origin} does not serve the page of Candor ${manifest.version}:`
			: `${survey.origin} gave this browser the ${count} files of Candor ${manifest.version}, byte for byte.`,
		differences,
	);
});
