export const words = {
	note: {
		en: 'Nothing on this page is sent or kept. Answer as often as you like, and see what would be stored.',
		'zh-hans': '此页的内容不会发送，也不会保存。您可以回答任意多次，看看会存储什么。',
	},
	own: {
		en: 'Your device draws with the chances of this survey’s own questions.',
		'zh-hans': '您的设备按本调查问题本身的概率随机抽取。',
	},
	yesno: {
		en: 'Did you eat breakfast today?',
		'zh-hans': '您今天吃早饭了吗？',
	},
	choice: {
		en: 'Which letter do you like best?',
		'zh-hans': '您最喜欢哪个字母？',
	},
	several: {
		en: 'Which letters do you like?',
		'zh-hans': '您喜欢哪些字母？',
	},
	scale: {
		en: 'How much do you like breakfast, from {min} to {max}?',
		'zh-hans': '您有多喜欢吃早饭？从 {min} 到 {max}。',
	},
	matrix: {
		en: 'How much do you like each letter?',
		'zh-hans': '每个字母您有多喜欢？',
	},
	number: {
		en: 'Any number from {min} to {max}, to try it',
		'zh-hans': '任意一个从 {min} 到 {max} 的数字，用于试验',
	},
	place: {
		en: 'Any place on the map, to try it',
		'zh-hans': '地图上任意一个地点，用于试验',
	},
	draw: {
		en: 'Show what would be stored',
		'zh-hans': '显示将存储的内容',
	},
	stored: {
		en: 'You said: {said}. The site would store: {stored}.',
		'zh-hans': '您的回答：{said}。网站将存储：{stored}。',
	},
	given: {
		en: 'You say',
		'zh-hans': '您的回答',
	},
	as: {
		en: 'Stored as',
		'zh-hans': '存储为',
	},
	times: {
		en: 'Times',
		'zh-hans': '次数',
	},
	done: {
		en: 'Back to the first page',
		'zh-hans': '返回问卷',
	},
};
