// The interface in Simplified Chinese: the same keys.

export default `
language|语言
leave|快速离开
trial|测试：不计入结果。
simulated|演示：目前的回答均为模拟。
early|在他人仍在作答时，所存的回答就可被查看；直接回答要等到结束以后。
beside|您所写的内容与您的其他回答放在一起。

who|谁在提问
why|为什么
protection|您的回答如何受到保护
changes|您的设备在发送前可能会改变您的回答。
storedAs|在 {of} 个会回答“{said}”的人中，约有 {some} 人会被存为“{stored}”。
so|因此，看到所存回答的人都无法确定那是您的回答。
some|您的回答中有 {count} 个：
alone|仅看其他回答：
soAlone|只看到这些所存回答的人，都无法确定其中哪个是您的回答。
more|所有回答合在一起比单个回答透露得更多。
together|假设一群人中一半会像您这样回答，另一半会作其他回答。其中 {of} 个所存回答相同的人里，至多 {most} 人会像您这样回答，至少 {some} 人会作其他回答。
orMore|{some} 或更多
picture|10 人中的 {filled} 人
pictured|每个图形代表 {each} 人；实心的代表上述 {some} 人，向下取整。
ifDisguised|这适用于您让设备伪装回答的情况。直接作出的回答将按原样存储。
ifMarked|这适用于标有“发送前伪装”的问题。其余回答按原样存储。
learns|谁能得知什么
learnsAsker|提问者：
learnsAskerText|所存的回答，不含您的姓名；由此得知有多少人怎样回答。
learnsEmployer|您的雇主：
learnsEmployerText|若不是提问者，从这里得不到任何信息。其网络或设备可能显示您来过。
learnsThief|窃取数据的人：
learnsThiefText|所存的回答，不含您的姓名。
learnsSite|网站运营者：
learnsSiteText|所存的回答，以及您的设备来过。他们有可能更改本页面；正确的内容是公开的。
exactly|精确地说
sentence|如果有人认为伪装问题所问之事有 {prior} 的可能符合您，那么无论伪装后的回答是什么，他凭这些回答的把握都不会超过 {posterior}。
weak|此处的伪装很弱：别人几乎可以确定您的回答。
override|这低于本网站的要求。{by} 对此负责：
how|这是怎样做到的？
manyTell|从许多人的回答合起来，仍能推算出有多少人怎样回答。
uncovered|哪些情况不受保护？
uncoveredDirect|直接回答没有这种保护；选择它本身也可能透露信息。
uncoveredAgain|此数字适用于回答一次，多答则多透露。
drawn|此设备从 {all} 个敏感问题中随机抽取了 {asked} 个。
fingerprint|我们无法校验此链接。请将此指纹与邀请中的指纹核对：
consent|您的同意
once|此邀请只能用一次。开始后，请在此浏览器中完成。
stored|从“开始”起，此浏览器保存随机数；“发送”后保存伪装后的回答。
storedGiven|送达前还保存按原样发送的回答。
storedTruth|绝不保存伪装背后的真实回答。
begin|我同意，开始
second|您曾从这里发送过回答。这是第二次披露：把两者相联系的人，把握最多可达 {posterior}。
noStorage|只有此页面保存着您的回答，送达前请勿关闭。

practice|试试伪装

choice|您想怎样回答？
disguised|伪装我的回答
disguisedHelp|发送前可能随机改变，如首页所述。
direct|直接回答
directHelp|按您所填发送，不加伪装。

page|第 {page} 页，共 {pages} 页
mask|发送前伪装
open|按原样发送
optional|可不填
yes|是
no|否
next|继续
back|返回
missing|请回答此问题。
outside|请填写 {min} – {max} 之间的值。

review|检查您的回答
reviewNote|目前只有您能看到。
change|更改
nothing|未回答
send|发送
sendDisguised|伪装并发送

sending|正在发送
waiting|尚未送达。{seconds} 秒后重试。
waitingKept|已保存在此处：伪装不再改变，其余按原样。您可以以后再来。
again|重试

thanks|谢谢您
arrived|您的回答已送达。
sent|已发送的内容
yours|也许是您的回答，也许是随机的结果：谁都无法分辨。
question|问题
value|已发送
receipt|回执
receiptText|任何人凭此都可查询回答是否已存储。
check|向服务器查询
held|服务器存有此回答。
notHeld|服务器没有此回执。
another|清除：由另一个人在此回答

nothingSent|没有发送任何内容。
perhaps|从此处发送的内容可能已送达。
unreachable|没有连接
unloaded|此页面的一部分无法加载：没有连接，或者网站已更新。
`;
