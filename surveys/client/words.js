// What the interface says: a key and its text in each of its languages, a line each.

export const LANGUAGES = ['en', 'zh-hans'];

/** Lines as below, read; modules that few visits need have lines of their own. */
export const wordsOf = lines =>
	Object.fromEntries(
		lines
			.trim()
			.split(/\n+/)
			.map(line => line.split('|'))
			.map(([key, ...texts]) => [key, Object.fromEntries(LANGUAGES.map((tag, place) => [tag, texts[place]]))]),
	);

export const WORDS = wordsOf(`
language|Language|语言
leave|Leave quickly|快速离开
trial|A test: nothing sent here counts.|测试：不计入结果。
simulated|A demonstration: answers so far are simulated.|演示：目前的回答均为模拟。
early|Stored answers may be read while others answer; direct ones later.|在他人仍在作答时，所存的回答就可被查看；直接回答要等到结束以后。
central|Answers that are not disguised are published only as counts with noise.|未伪装的回答只以加噪计数的形式公布。
beside|What you write stays beside your answers.|您所写的内容与您的其他回答放在一起。

why|Why is this asked?|为什么提问？
forgot|This page was loaded again and has forgotten what you entered. Answers are kept nowhere before Send, so nobody can find them here.|此页面已重新加载，您填写的内容没有保留。“发送”之前，回答不会保存在任何地方，因此无人能在这里找到它们。
protection|How chance protects you|随机怎样保护您
changes|Your device may change your answers before it sends them.|您的设备在发送前可能会改变您的回答。
storedAs|Of {of} people who would say “{said}”, the site stores about {some} as “{stored}”.|在 {of} 个会回答“{said}”的人中，约有 {some} 人会被存为“{stored}”。
so|So nobody who sees a stored answer can be sure that you gave it.|因此，看到所存回答的人都无法确定那是您的回答。
some|For {count} of your answers:|您的回答中有 {count} 个：
alone|The other answers, taken alone:|仅看其他回答：
soAlone|Nobody who sees only these can be sure that you gave one of them.|只看到这些所存回答的人，都无法确定其中哪个是您的回答。
more|All answers together reveal more than one alone.|所有回答合在一起比单个回答透露得更多。
together|Say half of a crowd would give your answers, and half other answers. Take {of} people in it with the same stored answers. Up to {most} would give your answers. At least {some} would give others.|假设一群人中一半会像您这样回答，另一半会作其他回答。其中 {of} 个所存回答相同的人里，至多 {most} 人会像您这样回答，至少 {some} 人会作其他回答。
orMore|{some} or more|{some} 或更多
picture|{counted} of 10 people|10 人中的 {counted} 人
pictured|Each figure: {each} people, rounded down.|每个图形代表 {each} 人，向下取整。
hollow|Outlined: those {some}.|空心的代表上述 {some} 人。
full|Full: those {some}.|实心的代表上述 {some} 人。
ifDisguised|This holds if you let your device disguise your answers. What you answer directly is stored as you give it.|这适用于您让设备伪装回答的情况。直接作出的回答将按原样存储。
ifMarked|This holds for questions marked “Disguised before sending”. The others are stored as you give them.|这适用于标有“发送前伪装”的问题。其余回答按原样存储。
learns|What could somebody learn about me?|别人能从中得知我的什么？
learnsAsker|Who asks:|提问者：
learnsAskerText|the stored answers, without your name. They show how many people gave each answer.|所存的回答，不含您的姓名；由此得知有多少人怎样回答。
learnsEmployer|Your employer:|您的雇主：
learnsEmployerText|nothing from here, unless it runs the survey. Its network or device may show your visit.|若不是提问者，从这里得不到任何信息。其网络或设备可能显示您来过。
learnsThief|Data thieves:|窃取数据的人：
learnsThiefText|the stored answers, without your name.|所存的回答，不含您的姓名。
learnsSite|Who runs this site:|网站运营者：
learnsSiteText|the stored answers and your visit. They could change this page, but the correct page is public.|所存的回答，以及您的设备来过。他们有可能更改本页面；正确的内容是公开的。
exactly|Exactly|精确地说
sentence|If someone is {prior} sure that something asked in a disguised question is true of you, the disguised answers cannot make them more than {posterior} sure.|如果有人认为伪装问题所问之事有 {prior} 的可能符合您，那么无论伪装后的回答是什么，他凭这些回答的把握都不会超过 {posterior}。
weak|The disguise here is weak: someone could become practically sure of your answers.|此处的伪装很弱：别人几乎可以确定您的回答。
override|This is less than this site requires. {by} takes responsibility:|这低于本网站的要求。{by} 对此负责：
manyTell|Many together still show how many people gave each answer.|从许多人的回答合起来，仍能推算出有多少人怎样回答。
uncoveredDirect|A direct answer has no such protection. Even choosing it may reveal something.|直接回答没有这种保护；选择它本身也可能透露信息。
uncoveredAgain|The figure is for answering once. Answering again reveals more.|此数字适用于回答一次，多答则多透露。
drawn|This device chose {asked} of {all} sensitive questions at random.|此设备从 {all} 个敏感问题中随机抽取了 {asked} 个。
fingerprint|We cannot check this link. Compare this code with the one in your invitation:|我们无法校验此链接。请将此指纹与邀请中的指纹核对：
once|This invitation works once. After Begin, finish in this browser.|此邀请只能用一次。开始后，请在此浏览器中完成。
stored|From Begin on, this browser keeps random numbers. After Send it keeps the disguised answers.|从“开始”起，此浏览器保存随机数；“发送”后保存伪装后的回答。
storedGiven|Until they arrive, it also keeps those sent as given.|送达前还保存按原样发送的回答。
storedTruth|It never keeps the truth behind a disguise.|绝不保存伪装背后的真实回答。
begin|I agree – begin|我同意，开始
second|You have sent answers from here before. This is a second disclosure. Someone who could join both could become up to {posterior} sure.|您曾从这里发送过回答。这是第二次披露：把两者相联系的人，把握最多可达 {posterior}。
noStorage|Only this page keeps your answers. Please leave it open until they have arrived.|只有此页面保存着您的回答，送达前请勿关闭。

practice|Try the disguise|试试伪装

choice|How do you want to answer?|您想怎样回答？
disguised|Disguise my answers|伪装我的回答
disguisedHelp|They may change at random before they are sent, as the first page says.|发送前可能随机改变，如首页所述。
direct|Answer directly|直接回答
directHelp|Sent as you give them, without a disguise.|按您所填发送，不加伪装。

page|Page {page} of {pages}|第 {page} 页，共 {pages} 页
mask|Disguised before sending|发送前伪装
open|Sent as given|按原样发送
optional|optional|可不填
yes|Yes|是
no|No|否
next|Continue|继续
back|Back|返回
missing|Please answer this question.|请回答此问题。
outside|Please stay within {min} – {max}.|请填写 {min} – {max} 之间的值。

review|Check your answers|检查您的回答
reviewNote|Only you see this so far.|目前只有您能看到。
change|Change|更改
nothing|no answer|未回答
send|Send|发送
sendDisguised|Disguise and send|伪装并发送

sending|Sending|正在发送
waiting|They have not arrived yet. Next try in {seconds} s.|尚未送达。{seconds} 秒后重试。
waitingKept|Kept here, disguised or as given, ready to send. You may come back later.|已保存在此处：伪装不再改变，其余按原样。您可以以后再来。
again|Try again|重试

thanks|Thank you|谢谢您
arrived|Your answers have arrived.|您的回答已送达。
sent|What was sent|已发送的内容
yours|Perhaps yours, perhaps random: nobody can tell which.|也许是您的回答，也许是随机的结果：谁都无法分辨。
question|Question|问题
value|Sent|已发送
receipt|Receipt|回执
receiptText|It lets anyone check that the response is stored.|任何人凭此都可查询回答是否已存储。
check|Ask the server|向服务器查询
held|The server holds this response.|服务器存有此回答。
notHeld|The server does not know this receipt.|服务器没有此回执。
another|Erase this: another person answers here|清除：由另一个人在此回答

nothingSent|Nothing has been sent.|没有发送任何内容。
perhaps|What was sent from here may have arrived.|从此处发送的内容可能已送达。
unreachable|No connection|没有连接
unloaded|Part of this page could not be loaded. There is no connection, or the site has been renewed.|此页面的一部分无法加载：没有连接，或者网站已更新。
`);
